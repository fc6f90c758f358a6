import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../http/endpoint';
import { paging } from '../http/paging';
import { subdomainAnswer, subdomainBody, subdomainChanges, subdomainPage } from './subdomains.schema';
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
    answer: subdomainPage,
    errors: [],
    run: ({ query }) => subdomains.list(query),
  }),
  endpoint({
    method: 'post',
    path: '/subdomains',
    tag,
    summary: 'Cria um subdomínio',
    body: subdomainBody,
    example: { subdomain: 'loja', description: 'Loja virtual', type: 'proxy', port: 4000 },
    status: 201,
    answer: subdomainAnswer,
    errors: [409],
    run: ({ body }) => subdomains.create(body),
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
    answer: subdomainAnswer,
    errors: [404],
    run: ({ params: { subdomain }, body }) => subdomains.update(subdomain, body),
  }),
  endpoint({
    method: 'delete',
    path: '/subdomains/:subdomain',
    tag,
    summary: 'Remove um subdomínio pelo nome ou pelo _id',
    params,
    status: 204,
    answer: noContent,
    errors: [404],
    run: ({ params: { subdomain } }) => subdomains.remove(subdomain),
  }),
];
