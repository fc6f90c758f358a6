import type { z } from 'zod';
import { type Endpoint, endpoint } from '../../platform/http/endpoint';
import { idParams, subdomainParams } from '../../platform/http/fields';
import type { SitesService } from '../sites';
import { hostTestBody, hostTestResponse, policyBody, policyResponse } from './host-policies.schema';
import type { HostPoliciesService } from './host-policies.service';
import type { HostTestService } from './host-test.service';

const tag = 'Regras de hosts';

const example = {
  access: { ips: ['203.0.113.0/24'], password: 'uma senha', require: 'any' as const },
  rate: { requests: 600, seconds: 60 },
};

/** Endpoints for the rules of one kind of site. */
function policyEndpoints<Params extends z.ZodType>(
  sites: Pick<SitesService, 'owner'>,
  policies: HostPoliciesService,
  kind: 'subdomain' | 'project' | 'tenant',
  path: string,
  params: Params,
  keyOf: (params: z.output<Params>) => string,
): Endpoint[] {
  const limited = kind === 'subdomain' ? {} : { project: true as const };
  return [
    endpoint({
      method: 'get',
      path: `${path}/policy`,
      access: { role: 'viewer', scope: 'hosts:read', ...limited },
      tag,
      summary: 'As regras dos hosts de um site; null herda do projeto, false desliga',
      params,
      status: 200,
      response: policyResponse,
      errorStatuses: [],
      run: async ({ context, params: given }) => policies.get(await sites.owner({ kind, key: keyOf(given) }, context)),
    }),
    endpoint({
      method: 'put',
      path: `${path}/policy`,
      access: { role: 'operator', scope: 'hosts:write', ...limited },
      tag,
      summary: 'Altera as regras dos hosts de um site; cada campo enviado substitui o anterior por inteiro',
      params,
      body: policyBody,
      example,
      status: 200,
      response: policyResponse,
      errorStatuses: [],
      ifMatch: true,
      run: async ({ context, params: given, body }) =>
        policies.put(context, await sites.owner({ kind, key: keyOf(given) }, context), body),
    }),
  ];
}

export const hostPolicyEndpoints = (
  sites: Pick<SitesService, 'owner'>,
  policies: HostPoliciesService,
  tests: HostTestService,
): Endpoint[] => [
  ...policyEndpoints(
    sites,
    policies,
    'subdomain',
    '/subdomains/:subdomain',
    subdomainParams,
    (given) => given.subdomain,
  ),
  ...policyEndpoints(sites, policies, 'project', '/projects/:id', idParams, ({ id }) => id),
  ...policyEndpoints(sites, policies, 'tenant', '/tenants/:id', idParams, ({ id }) => id),
  endpoint({
    method: 'post',
    path: '/hosts/test',
    access: { role: 'viewer', scope: 'hosts:read', project: true },
    tag,
    summary: 'Diz como o servidor de entrada responderia, sem contar nem chamar nada',
    body: hostTestBody,
    example: { url: 'https://loja.estudio.com.br/', method: 'GET', address: '203.0.113.7' },
    status: 200,
    response: hostTestResponse,
    errorStatuses: [],
    run: ({ principal, body, clientAddress }) => tests.run(body, clientAddress, principal.projects),
  }),
];
