import { z } from 'zod';
import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from './routes.schema';
import type { RoutesService } from './routes.service';

export const routeEndpoints = (routes: RoutesService) =>
  withTag('Gateway: rotas', [
    endpoint('GET /gateway/admin/routes', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'Lista as rotas por origem',
      query: schemas.routeQuery,
      response: z.array(schemas.routeResponse),
      run: ({ query }) => routes.list(query),
    }),
    endpoint('POST /gateway/admin/routes', {
      access: { role: 'operator', scope: 'gateway:write' },
      summary: 'Cria uma rota',
      body: schemas.routeBody,
      example: {
        serviceId: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        origin: '/vendas/pedidos/:id',
        destination: '/pedidos/:id',
        methods: ['GET'],
        permission: 'pedidos:ler',
      },
      status: 201,
      response: schemas.routeResponse,
      errorStatuses: [409],
      run: ({ context, body }) => routes.create(context, body),
    }),
    endpoint('POST /gateway/admin/routes/import', {
      access: { role: 'operator', scope: 'gateway:write' },
      summary: 'Leva as rotas de um serviço ao que o manifesto diz: cria, altera e remove, tudo ou nada',
      body: schemas.importBody,
      largeBody: true,
      example: {
        serviceId: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        routes: [{ method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler' }],
      },
      status: 201,
      response: z.array(schemas.routeResponse),
      errorStatuses: [409],
      // The time budget is long, because an import may write thousands of rows.
      databaseMs: 25_000,
      run: ({ context, body }) => routes.import(context, body),
    }),
    endpoint('GET /gateway/admin/routes/:id', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'Uma rota',
      response: schemas.routeResponse,
      run: ({ params: { id } }) => routes.get(id),
    }),
    endpoint('PUT /gateway/admin/routes/:id', {
      access: { role: 'operator', scope: 'gateway:write' },
      summary: 'Altera uma rota',
      body: schemas.routeChanges,
      example: { permission: 'pedidos:ver' },
      response: schemas.routeResponse,
      errorStatuses: [409],
      ifMatch: true,
      run: ({ context, params: { id }, body }) => routes.update(context, id, body),
    }),
    endpoint('DELETE /gateway/admin/routes/:id', {
      access: { role: 'operator', scope: 'gateway:delete' },
      summary: 'Remove uma rota',
      run: ({ context, params: { id } }) => routes.remove(context, id),
    }),
  ]);
