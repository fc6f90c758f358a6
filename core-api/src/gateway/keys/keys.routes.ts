import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../http/endpoint';
import { idParams } from '../../http/fields';
import { createdKeyResponse, keyBody, keyChanges, keyQuery, keyResponse, rotateBody } from './keys.schema';
import type { KeysService } from './keys.service';

const tag = 'Gateway: chaves';

export const keyEndpoints = (keys: KeysService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/keys',
    tag,
    summary: 'Lista as chaves, sem o segredo',
    query: keyQuery,
    status: 200,
    response: z.array(keyResponse),
    errorStatuses: [],
    run: ({ query }) => keys.list(query),
  }),
  endpoint({
    method: 'post',
    path: '/gateway/admin/keys',
    tag,
    summary: 'Cria uma chave e a mostra uma única vez',
    body: keyBody,
    example: { name: 'Aplicativo', permissions: ['pedidos:ler'], allowedIps: ['203.0.113.0/24'] },
    status: 201,
    response: createdKeyResponse,
    errorStatuses: [],
    noStore: true,
    run: ({ context, body }) => keys.create(context, body),
  }),
  endpoint({
    method: 'put',
    path: '/gateway/admin/keys/:id',
    tag,
    summary: 'Altera uma chave; a chave em si permanece',
    params: idParams,
    body: keyChanges,
    example: { permissions: ['pedidos:*'] },
    status: 200,
    response: keyResponse,
    errorStatuses: [404],
    ifMatch: true,
    run: ({ context, params: { id }, body }) => keys.update(context, id, body),
  }),
  endpoint({
    method: 'post',
    path: '/gateway/admin/keys/:id/rotate',
    tag,
    summary: 'Troca a chave e a mostra uma única vez; a anterior vale por mais um prazo',
    params: idParams,
    body: rotateBody,
    example: { graceSeconds: 86_400 },
    status: 201,
    response: createdKeyResponse,
    errorStatuses: [404],
    noStore: true,
    run: ({ context, params: { id }, body }) => keys.rotate(context, id, body.graceSeconds),
  }),
  endpoint({
    method: 'delete',
    path: '/gateway/admin/keys/:id',
    tag,
    summary: 'Remove uma chave; ela deixa de valer em até um segundo',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404],
    run: ({ context, params: { id } }) => keys.remove(context, id),
  }),
];
