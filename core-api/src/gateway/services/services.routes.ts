import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../http/endpoint';
import { idParams } from '../../http/fields';
import { dependentsResponse, serviceBody, serviceChanges, serviceResponse } from './services.schema';
import type { ServicesService } from './services.service';

const tag = 'Gateway: serviços';

export const serviceEndpoints = (services: ServicesService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/services',
    tag,
    summary: 'Lista os serviços por nome',
    status: 200,
    response: z.array(serviceResponse),
    errorStatuses: [],
    run: () => services.list(),
  }),
  endpoint({
    method: 'post',
    path: '/gateway/admin/services',
    tag,
    summary: 'Cria um serviço',
    body: serviceBody,
    example: { name: 'vendas', host: 'http://localhost:4000' },
    status: 201,
    response: serviceResponse,
    errorStatuses: [409],
    run: ({ context, body }) => services.create(context, body),
  }),
  endpoint({
    method: 'put',
    path: '/gateway/admin/services/:id',
    tag,
    summary: 'Altera um serviço',
    params: idParams,
    body: serviceChanges,
    example: { host: 'http://localhost:4001/v2' },
    status: 200,
    response: serviceResponse,
    errorStatuses: [404, 409],
    ifMatch: true,
    run: ({ context, params: { id }, body }) => services.update(context, id, body),
  }),
  endpoint({
    method: 'get',
    path: '/gateway/admin/services/:id/dependents',
    tag,
    summary: 'Quantas rotas o serviço tem e quantas chaves podem chamá-las',
    params: idParams,
    status: 200,
    response: dependentsResponse,
    errorStatuses: [404],
    run: ({ params: { id } }) => services.dependents(id),
  }),
  endpoint({
    method: 'delete',
    path: '/gateway/admin/services/:id',
    tag,
    summary: 'Remove um serviço e as rotas dele',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404],
    run: ({ context, params: { id } }) => services.remove(context, id),
  }),
];
