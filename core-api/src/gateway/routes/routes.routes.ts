import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../http/endpoint';
import { idParams } from '../../http/fields';
import { importBody, routeBody, routeChanges, routeResponse } from './routes.schema';
import type { RoutesService } from './routes.service';

const tag = 'Gateway: rotas';

export const routeEndpoints = (routes: RoutesService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/routes',
    tag,
    summary: 'Lista as rotas por origem',
    status: 200,
    response: z.array(routeResponse),
    errorStatuses: [],
    run: () => routes.list(),
  }),
  endpoint({
    method: 'post',
    path: '/gateway/admin/routes',
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
    // Thousands of rows, each of which must find its place.
    databaseMs: 25_000,
    run: ({ context, body }) => routes.import(context, body),
  }),
  endpoint({
    method: 'put',
    path: '/gateway/admin/routes/:id',
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
    tag,
    summary: 'Remove uma rota',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404],
    run: ({ context, params: { id } }) => routes.remove(context, id),
  }),
];
