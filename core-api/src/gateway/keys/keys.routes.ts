import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../http/endpoint';
import { idParams } from '../../http/fields';
import { createdKeyAnswer, keyAnswer, keyBody, keyChanges, keyQuery } from './keys.schema';
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
    answer: z.array(keyAnswer),
    errors: [],
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
    answer: createdKeyAnswer,
    errors: [],
    noStore: true,
    run: ({ body }) => keys.create(body),
  }),
  endpoint({
    method: 'put',
    path: '/gateway/admin/keys/:id',
    tag,
    summary: 'Altera nome, permissões ou endereços de uma chave',
    params: idParams,
    body: keyChanges,
    example: { permissions: ['pedidos:*'] },
    status: 200,
    answer: keyAnswer,
    errors: [404],
    run: ({ params: { id }, body }) => keys.update(id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/gateway/admin/keys/:id',
    tag,
    summary: 'Remove uma chave; ela deixa de valer em até um segundo',
    params: idParams,
    status: 204,
    answer: noContent,
    errors: [404],
    run: ({ params: { id } }) => keys.remove(id),
  }),
];
