import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../http/endpoint';
import { paging } from '../http/paging';
import {
  connectionTestBody,
  connectionTestResponse,
  subdomainBody,
  subdomainChanges,
  subdomainPage,
  subdomainResponse,
} from './subdomains.schema';
import type { SubdomainsService } from './subdomains.service';

const tag = 'Subdomínios';
const params = z.object({
  subdomain: z
    .string()
    .max(63)
    .refine((name) => !name.includes('\0')),
});

export const subdomainEndpoints = (subdomains: SubdomainsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/subdomains',
    tag,
    summary: 'Lista os subdomínios, do mais novo ao mais antigo',
    query: paging.extend({ search: z.string().trim().max(255).optional() }),
    status: 200,
    response: subdomainPage,
    errorStatuses: [],
    run: async ({ query }) => {
      const { subdomains: rows, total } = await subdomains.list(query);
      return { subdomains: await subdomains.withHealth(rows), total };
    },
  }),
  endpoint({
    method: 'post',
    path: '/subdomains',
    tag,
    summary: 'Cria um subdomínio',
    body: subdomainBody,
    example: { subdomain: 'loja', description: 'Loja virtual', type: 'proxy', port: 4000 },
    status: 201,
    response: subdomainResponse,
    errorStatuses: [409],
    run: async ({ context, body }) => subdomains.withLive(await subdomains.create(context, body)),
  }),
  endpoint({
    method: 'put',
    path: '/subdomains/:subdomain',
    tag,
    summary: 'Altera um subdomínio',
    params,
    body: subdomainChanges,
    example: { type: 'tunnel', targetHost: 'app.exemplo.com.br', targetPort: 443 },
    status: 200,
    response: subdomainResponse,
    errorStatuses: [404],
    ifMatch: true,
    run: async ({ context, params: { subdomain }, body }) =>
      subdomains.withLive(await subdomains.update(context, subdomain, body)),
  }),
  endpoint({
    method: 'post',
    path: '/subdomains/test',
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
    tag,
    summary: 'Verifica agora o destino de um subdomínio',
    params,
    status: 200,
    response: subdomainResponse,
    errorStatuses: [404],
    run: async ({ params: { subdomain } }) => subdomains.check(subdomain),
  }),
  endpoint({
    method: 'delete',
    path: '/subdomains/:subdomain',
    tag,
    summary: 'Remove um subdomínio pelo nome ou pelo _id',
    params,
    status: 204,
    response: noContent,
    errorStatuses: [404],
    run: ({ context, params: { subdomain } }) => subdomains.remove(context, subdomain),
  }),
];
