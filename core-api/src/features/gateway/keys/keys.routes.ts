import { z } from 'zod';
import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from './keys.schema';
import type { KeysService } from './keys.service';

export const keyEndpoints = (keys: KeysService) =>
  withTag('Gateway: chaves', [
    endpoint('GET /gateway/admin/keys', {
      access: { role: 'viewer', scope: 'keys:read' },
      summary: 'Lista as chaves, sem o segredo',
      query: schemas.keyQuery,
      response: z.array(schemas.keyResponse),
      run: ({ query }) => keys.list(query),
    }),
    endpoint('GET /gateway/admin/key-summary', {
      access: { role: 'viewer', scope: 'keys:read' },
      summary: 'Número de chaves, soma dos usos e a chave mais usada',
      response: schemas.keySummaryResponse,
      run: () => keys.getSummary(),
    }),
    endpoint('POST /gateway/admin/keys', {
      access: { role: 'operator', scope: 'keys:write' },
      summary: 'Cria uma chave e a mostra uma única vez',
      body: schemas.keyBody,
      example: { name: 'Aplicativo', permissions: ['pedidos:ler'], allowedIps: ['203.0.113.0/24'] },
      status: 201,
      response: schemas.createdKeyResponse,
      noStore: true,
      run: ({ context, body }) => keys.create(context, body),
    }),
    endpoint('GET /gateway/admin/keys/:id', {
      access: { role: 'viewer', scope: 'keys:read' },
      summary: 'Uma chave, sem o segredo',
      response: schemas.keyResponse,
      run: ({ params: { id } }) => keys.get(id),
    }),
    endpoint('PUT /gateway/admin/keys/:id', {
      access: { role: 'operator', scope: 'keys:write' },
      summary: 'Altera uma chave; a chave em si permanece',
      body: schemas.keyChanges,
      example: { permissions: ['pedidos:*'] },
      response: schemas.keyResponse,
      ifMatch: true,
      run: ({ context, params: { id }, body }) => keys.update(context, id, body),
    }),
    endpoint('POST /gateway/admin/keys/:id/rotate', {
      access: { role: 'operator', scope: 'keys:write' },
      summary: 'Troca a chave e a mostra uma única vez; a anterior vale por mais um prazo',
      body: schemas.keyRotation,
      example: { graceSeconds: 86_400 },
      status: 201,
      response: schemas.createdKeyResponse,
      noStore: true,
      run: ({ context, params: { id }, body }) => keys.rotate(context, id, body.graceSeconds),
    }),
    endpoint('DELETE /gateway/admin/keys/:id', {
      access: { role: 'operator', scope: 'keys:delete' },
      summary: 'Remove uma chave; ela deixa de valer em até um segundo',
      run: ({ context, params: { id } }) => keys.remove(context, id),
    }),
  ]);
