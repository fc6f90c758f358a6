import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../http/endpoint';
import { idParams } from '../../http/fields';
import { serviceAnswer, serviceBody, serviceChanges } from './services.schema';
import type { ServicesService } from './services.service';

const tag = 'Gateway: serviços';

export const serviceEndpoints = (services: ServicesService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/services',
    tag,
    summary: 'Lista os serviços por nome',
    status: 200,
    answer: z.array(serviceAnswer),
    errors: [],
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
    answer: serviceAnswer,
    errors: [409],
    run: ({ body }) => services.create(body),
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
    answer: serviceAnswer,
    errors: [404, 409],
    run: ({ params: { id }, body }) => services.update(id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/gateway/admin/services/:id',
    tag,
    summary: 'Remove um serviço e as rotas dele',
    params: idParams,
    status: 204,
    answer: noContent,
    errors: [404],
    run: ({ params: { id } }) => services.remove(id),
  }),
];
