import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../../platform/http/endpoint';
import { idParams } from '../../../platform/http/fields';
import { importBody, routeBody, routeChanges, routeQuery, routeResponse } from './routes.schema';
import type { RoutesService } from './routes.service';

const tag = 'Gateway: rotas';

export const routeEndpoints = (routes: RoutesService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/routes',
    access: { role: 'viewer', scope: 'gateway:read' },
    tag,
    summary: 'Lista as rotas por origem',
    query: routeQuery,
    status: 200,
    response: z.array(routeResponse),
    errorStatuses: [],
    run: ({ query }) => routes.list(query),
  }),
  endpoint({
    method: 'post',
    path: '/gateway/admin/routes',
    access: { role: 'operator', scope: 'gateway:write' },
    tag,
    summary: 'Cria uma rota',
    body: routeBody,
    example: {
      serviceId: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
      origin: '/vendas/pedidos/:id',
      destination: '/pedidos/:id',
      methods: ['GET'],
      permission: 'pedidos:ler',
    },
    status: 201,
    response: routeResponse,
    errorStatuses: [409],
    run: ({ context, body }) => routes.create(context, body),
  }),
  endpoint({
    method: 'post',
    path: '/gateway/admin/routes/import',
    access: { role: 'operator', scope: 'gateway:write' },
    tag,
    summary: 'Leva as rotas de um serviço ao que o manifesto diz: cria, altera e remove, tudo ou nada',
    body: importBody,
    largeBody: true,
    example: {
      serviceId: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
      routes: [{ method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler' }],
    },
    status: 201,
    response: z.array(routeResponse),
    errorStatuses: [409],
    // Long time budget: an import may write thousands of rows.
    databaseMs: 25_000,
    run: ({ context, body }) => routes.import(context, body),
  }),
  endpoint({
    method: 'get',
    path: '/gateway/admin/routes/:id',
    access: { role: 'viewer', scope: 'gateway:read' },
    tag,
    summary: 'Uma rota',
    params: idParams,
    status: 200,
    response: routeResponse,
    errorStatuses: [404],
    run: ({ params: { id } }) => routes.get(id),
  }),
  endpoint({
    method: 'put',
    path: '/gateway/admin/routes/:id',
    access: { role: 'operator', scope: 'gateway:write' },
    tag,
    summary: 'Altera uma rota',
    params: idParams,
    body: routeChanges,
    example: { permission: 'pedidos:ver' },
    status: 200,
    response: routeResponse,
    errorStatuses: [404, 409],
    ifMatch: true,
    run: ({ context, params: { id }, body }) => routes.update(context, id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/gateway/admin/routes/:id',
    access: { role: 'operator', scope: 'gateway:delete' },
    tag,
    summary: 'Remove uma rota',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404],
    run: ({ context, params: { id } }) => routes.remove(context, id),
  }),
];
