import { type SiteType, siteTypes } from '../../platform/http/access/access';
import { endpoint, withTag } from '../../platform/http/endpoint';
import { sitePaths } from '../../platform/http/site-paths';
import type { SitesService } from '../sites';
import * as schemas from './host-policies.schema';
import type { HostPoliciesService } from './host-policies.service';
import type { HostTestService } from './host-test.service';

const example = {
  access: { ips: ['203.0.113.0/24'], password: 'uma senha', require: 'any' as const },
  rate: { requests: 600, seconds: 60 },
};

function policyEndpoints(sites: Pick<SitesService, 'getOwnerByPath'>, policies: HostPoliciesService, kind: SiteType) {
  const { path, params, access } = sitePaths[kind];
  return [
    endpoint(`GET ${path}/policy`, {
      access: { role: 'viewer', scope: 'hosts:read', ...access },
      summary: 'As regras dos hosts de um site; null herda do projeto, false desliga',
      params,
      response: schemas.policyResponse,
      run: async (call) => policies.get(await sites.getOwnerByPath(kind, call)),
    }),
    endpoint(`PUT ${path}/policy`, {
      access: { role: 'operator', scope: 'hosts:write', ...access },
      summary: 'Altera as regras dos hosts de um site; cada campo enviado substitui o anterior por inteiro',
      params,
      body: schemas.policyBody,
      example,
      response: schemas.policyResponse,
      ifMatch: true,
      run: async (call) => policies.update(call.context, await sites.getOwnerByPath(kind, call), call.body),
    }),
  ];
}

export const hostPolicyEndpoints = (
  sites: Pick<SitesService, 'getOwnerByPath'>,
  policies: HostPoliciesService,
  tests: HostTestService,
) =>
  withTag('Regras de hosts', [
    ...siteTypes.flatMap((kind) => policyEndpoints(sites, policies, kind)),
    endpoint('POST /hosts/test', {
      access: { role: 'viewer', scope: 'hosts:read', project: true },
      summary: 'Diz como o servidor de entrada responderia, sem contar nem chamar nada',
      body: schemas.hostTestBody,
      example: { url: 'https://loja.estudio.com.br/', method: 'GET', address: '203.0.113.7' },
      response: schemas.hostTestResponse,
      run: ({ principal, body, clientAddress }) => tests.run(body, clientAddress, principal.projects),
    }),
  ]);
