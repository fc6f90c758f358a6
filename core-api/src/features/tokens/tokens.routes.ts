import { z } from 'zod';
import { endpoint, withTag } from '../../platform/http/endpoint';
import * as schemas from './tokens.schema';
import type { TokensService } from './tokens.service';

const ownTokens = { role: 'any', scope: null, project: true, personOnly: true } as const;

export const tokenEndpoints = (tokens: TokensService) =>
  withTag('Tokens de API', [
    endpoint('GET /tokens', {
      access: ownTokens,
      summary: 'Lista os próprios tokens, ou os de outra conta para um administrador',
      query: schemas.tokenQuery,
      response: z.array(schemas.tokenResponse),
      run: ({ principal, query }) => tokens.list(principal, query.account),
    }),
    endpoint('POST /tokens', {
      access: { ...ownTokens, sudo: true },
      summary: 'Cria um token, que só esta resposta mostra',
      body: schemas.tokenBody,
      example: { name: 'Relatórios', scopes: ['tenants:read', 'metrics:read'], expiresAt: '2026-04-15T12:30:00.000Z' },
      status: 201,
      response: schemas.createdTokenResponse,
      errorStatuses: [409],
      noStore: true,
      run: ({ context, principal, body }) => tokens.create(context, principal, body),
    }),
    endpoint('PUT /tokens/:id', {
      access: { ...ownTokens, sudo: true },
      summary: 'Altera um token',
      body: schemas.tokenChanges,
      example: { scopes: ['tenants:read'], disabled: false },
      response: schemas.tokenResponse,
      errorStatuses: [409],
      ifMatch: true,
      run: ({ context, principal, params: { id }, body }) => tokens.update(context, principal, id, body),
    }),
    endpoint('POST /tokens/:id/rotate', {
      access: { ...ownTokens, sudo: true },
      summary: 'Troca o segredo de um token; o anterior ainda vale pelo tempo indicado',
      body: schemas.tokenRotation,
      example: { graceSeconds: 3600 },
      status: 201,
      response: schemas.createdTokenResponse,
      noStore: true,
      run: ({ context, principal, params: { id }, body }) => tokens.rotate(context, principal, id, body.graceSeconds),
    }),
    endpoint('DELETE /tokens/:id', {
      access: ownTokens,
      summary: 'Revoga um token',
      run: ({ context, principal, params: { id } }) => tokens.remove(context, principal, id),
    }),
  ]);
