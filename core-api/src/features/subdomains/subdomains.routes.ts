import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../platform/http/endpoint';
import { subdomainParams } from '../../platform/http/fields';
import { paging } from '../../platform/http/paging';
import {
  connectionTestBody,
  connectionTestResponse,
  subdomainBody,
  subdomainChanges,
  subdomainPage,
  subdomainResponse,
  subdomainStates,
} from './subdomains.schema';
import type { SubdomainsService } from './subdomains.service';

const tag = 'Subdomínios';

export const subdomainEndpoints = (subdomains: SubdomainsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/subdomains',
    access: { role: 'viewer', scope: 'subdomains:read' },
    tag,
    summary: 'Lista os subdomínios, do mais novo ao mais antigo',
    query: paging.extend({ search: z.string().trim().max(255).optional(), state: z.enum(subdomainStates).optional() }),
    status: 200,
    response: subdomainPage,
    errorStatuses: [],
    run: async ({ query }) => {
      const { subdomains: rows, total } = await subdomains.list(query);
      return { subdomains: await subdomains.addHealth(rows), total };
    },
  }),
  endpoint({
    method: 'post',
    path: '/subdomains',
    access: { role: 'operator', scope: 'subdomains:write' },
    tag,
    summary: 'Cria um subdomínio',
    body: subdomainBody,
    example: { subdomain: 'loja', description: 'Loja virtual', type: 'proxy', port: 4000 },
    status: 201,
    response: subdomainResponse,
    errorStatuses: [409],
    run: async ({ context, body }) => subdomains.addRolloutStatus(await subdomains.create(context, body)),
  }),
  endpoint({
    method: 'get',
    path: '/subdomains/:subdomain',
    access: { role: 'viewer', scope: 'subdomains:read' },
    tag,
    summary: 'Um subdomínio, pelo nome ou pelo _id',
    params: subdomainParams,
    status: 200,
    response: subdomainResponse,
    errorStatuses: [404],
    run: ({ params: { subdomain } }) => subdomains.get(subdomain),
  }),
  endpoint({
    method: 'put',
    path: '/subdomains/:subdomain',
    access: { role: 'operator', scope: 'subdomains:write' },
    tag,
    summary: 'Altera um subdomínio',
    params: subdomainParams,
    body: subdomainChanges,
    example: { type: 'tunnel', targetHost: 'app.exemplo.com.br', targetPort: 443 },
    status: 200,
    response: subdomainResponse,
    errorStatuses: [404],
    ifMatch: true,
    run: async ({ context, params: { subdomain }, body }) =>
      subdomains.addRolloutStatus(await subdomains.update(context, subdomain, body)),
  }),
  endpoint({
    method: 'post',
    path: '/subdomains/test',
    access: { role: 'operator', scope: 'subdomains:write' },
    tag,
    summary: 'Testa a conexão com um destino, sem guardar nada',
    body: connectionTestBody,
    example: { type: 'proxy', port: 4000 },
    status: 200,
    response: connectionTestResponse,
    errorStatuses: [],
    run: ({ body }) => subdomains.testConnection(body),
  }),
  endpoint({
    method: 'post',
    path: '/subdomains/:subdomain/check',
    access: { role: 'operator', scope: 'subdomains:write' },
    tag,
    summary: 'Verifica agora o destino e os domínios de um subdomínio',
    params: subdomainParams,
    status: 200,
    response: subdomainResponse,
    errorStatuses: [404],
    run: async ({ params: { subdomain } }) => subdomains.check(subdomain),
  }),
  endpoint({
    method: 'delete',
    path: '/subdomains/:subdomain',
    access: { role: 'operator', scope: 'subdomains:delete' },
    tag,
    summary: 'Remove um subdomínio pelo nome ou pelo _id',
    params: subdomainParams,
    status: 204,
    response: noContent,
    errorStatuses: [404],
    run: ({ context, params: { subdomain } }) => subdomains.remove(context, subdomain),
  }),
];
