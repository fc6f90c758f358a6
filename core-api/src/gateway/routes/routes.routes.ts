import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../http/endpoint';
import { idParams } from '../../http/fields';
import { importBody, routeAnswer, routeBody, routeChanges } from './routes.schema';
import type { RoutesService } from './routes.service';

const tag = 'Gateway: rotas';

export const routeEndpoints = (routes: RoutesService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/routes',
    tag,
    summary: 'Lista as rotas por origem',
    status: 200,
    answer: z.array(routeAnswer),
    errors: [],
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
    answer: routeAnswer,
    errors: [409],
    run: ({ body }) => routes.create(body),
  }),
  endpoint({
    method: 'post',
    path: '/gateway/admin/routes/import',
    tag,
    summary: 'Cria rotas de um manifesto, todas ou nenhuma',
    body: importBody,
    example: {
      serviceId: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
      routes: [{ method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler' }],
    },
    status: 201,
    answer: z.array(routeAnswer),
    errors: [409],
    run: ({ body }) => routes.import(body),
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
    answer: routeAnswer,
    errors: [404, 409],
    run: ({ params: { id }, body }) => routes.update(id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/gateway/admin/routes/:id',
    tag,
    summary: 'Remove uma rota',
    params: idParams,
    status: 204,
    answer: noContent,
    errors: [404],
    run: ({ params: { id } }) => routes.remove(id),
  }),
];
