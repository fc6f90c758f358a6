import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../http/endpoint';
import { idParams } from '../http/fields';
import { domainBody, tenantAnswer, tenantBody, tenantChanges } from './tenants.schema';
import type { TenantsService } from './tenants.service';

const tag = 'Tenants';

export const tenantEndpoints = (tenants: TenantsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/tenants',
    tag,
    summary: 'Lista os tenants por nome',
    status: 200,
    answer: z.array(tenantAnswer),
    errors: [],
    run: () => tenants.list(),
  }),
  endpoint({
    method: 'post',
    path: '/tenants',
    tag,
    summary: 'Cria um tenant',
    body: tenantBody,
    example: {
      name: 'Padaria do Zé',
      project: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
      subdomain: 'padaria',
      responsibleName: 'José',
    },
    status: 201,
    answer: tenantAnswer,
    errors: [409],
    run: ({ body }) => tenants.create(body),
  }),
  endpoint({
    method: 'put',
    path: '/tenants/:id',
    tag,
    summary: 'Altera um tenant',
    params: idParams,
    body: tenantChanges,
    example: { name: 'Padaria', responsibleContact: '(11) 99999-0000' },
    status: 200,
    answer: tenantAnswer,
    errors: [404],
    run: ({ params: { id }, body }) => tenants.update(id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/tenants/:id',
    tag,
    summary: 'Remove um tenant, o subdomínio e o domínio dele',
    params: idParams,
    status: 204,
    answer: noContent,
    errors: [404],
    run: ({ params: { id } }) => tenants.remove(id),
  }),
  endpoint({
    method: 'post',
    path: '/tenants/:id/domain',
    tag,
    summary: 'Configura o domínio personalizado',
    params: idParams,
    body: domainBody,
    example: { domain: 'padariadoze.com.br' },
    status: 200,
    answer: tenantAnswer,
    errors: [404, 409],
    run: ({ params: { id }, body }) => tenants.setDomain(id, body.domain),
  }),
  endpoint({
    method: 'delete',
    path: '/tenants/:id/domain',
    tag,
    summary: 'Remove o domínio personalizado',
    params: idParams,
    status: 200,
    answer: tenantAnswer,
    errors: [404],
    run: ({ params: { id } }) => tenants.removeDomain(id),
  }),
];
