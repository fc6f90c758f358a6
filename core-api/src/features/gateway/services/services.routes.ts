import { z } from 'zod';
import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from './services.schema';
import type { ServicesService } from './services.service';

export const serviceEndpoints = (services: ServicesService) =>
  withTag('Gateway: serviços', [
    endpoint('GET /gateway/admin/services', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'Lista os serviços por nome',
      response: z.array(schemas.serviceResponse),
      run: () => services.list(),
    }),
    endpoint('POST /gateway/admin/services', {
      access: { role: 'operator', scope: 'gateway:write' },
      summary: 'Cria um serviço',
      body: schemas.serviceBody,
      example: { name: 'vendas', host: 'http://localhost:4000' },
      status: 201,
      response: schemas.serviceResponse,
      errorStatuses: [409],
      run: ({ context, body }) => services.create(context, body),
    }),
    endpoint('GET /gateway/admin/services/:id', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'Um serviço',
      response: schemas.serviceResponse,
      run: ({ params: { id } }) => services.get(id),
    }),
    endpoint('PUT /gateway/admin/services/:id', {
      access: { role: 'operator', scope: 'gateway:write' },
      summary: 'Altera um serviço',
      body: schemas.serviceChanges,
      example: { host: 'http://localhost:4001/v2' },
      response: schemas.serviceResponse,
      errorStatuses: [409],
      ifMatch: true,
      run: ({ context, params: { id }, body }) => services.update(context, id, body),
    }),
    endpoint('GET /gateway/admin/services/:id/dependents', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'Quantas rotas o serviço tem e quantas chaves podem chamá-las',
      response: schemas.dependentsResponse,
      run: ({ params: { id } }) => services.countDependents(id),
    }),
    endpoint('DELETE /gateway/admin/services/:id', {
      access: { role: 'operator', scope: 'gateway:delete' },
      summary: 'Remove um serviço e as rotas dele',
      run: ({ context, params: { id } }) => services.remove(context, id),
    }),
  ]);
