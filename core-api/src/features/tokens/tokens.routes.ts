import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../platform/http/endpoint';
import { idParams } from '../../platform/http/fields';
import { createdTokenResponse, rotateBody, tokenBody, tokenChanges, tokenQuery, tokenResponse } from './tokens.schema';
import type { TokensService } from './tokens.service';

const tag = 'Tokens de API';
const ownTokens = { role: 'any', scope: null, project: true, personOnly: true } as const;

export const tokenEndpoints = (tokens: TokensService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/tokens',
    access: ownTokens,
    tag,
    summary: 'Lista os próprios tokens, ou os de outra conta para um administrador',
    query: tokenQuery,
    status: 200,
    response: z.array(tokenResponse),
    errorStatuses: [],
    run: ({ principal, query }) => tokens.list(principal, query.account),
  }),
  endpoint({
    method: 'post',
    path: '/tokens',
    access: { ...ownTokens, sudo: true },
    tag,
    summary: 'Cria um token, que só esta resposta mostra',
    body: tokenBody,
    example: { name: 'Relatórios', scopes: ['tenants:read', 'metrics:read'], expiresAt: '2026-04-15T12:30:00.000Z' },
    status: 201,
    response: createdTokenResponse,
    errorStatuses: [409],
    noStore: true,
    run: ({ context, principal, body }) => tokens.create(context, principal, body),
  }),
  endpoint({
    method: 'put',
    path: '/tokens/:id',
    access: { ...ownTokens, sudo: true },
    tag,
    summary: 'Altera um token',
    params: idParams,
    body: tokenChanges,
    example: { scopes: ['tenants:read'], disabled: false },
    status: 200,
    response: tokenResponse,
    errorStatuses: [404, 409],
    ifMatch: true,
    run: ({ context, principal, params: { id }, body }) => tokens.update(context, principal, id, body),
  }),
  endpoint({
    method: 'post',
    path: '/tokens/:id/rotate',
    access: { ...ownTokens, sudo: true },
    tag,
    summary: 'Troca o segredo de um token; o anterior ainda vale pelo tempo indicado',
    params: idParams,
    body: rotateBody,
    example: { graceSeconds: 3600 },
    status: 201,
    response: createdTokenResponse,
    errorStatuses: [404],
    noStore: true,
    run: ({ context, principal, params: { id }, body }) => tokens.rotate(context, principal, id, body.graceSeconds),
  }),
  endpoint({
    method: 'delete',
    path: '/tokens/:id',
    access: ownTokens,
    tag,
    summary: 'Revoga um token',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404],
    run: ({ context, principal, params: { id } }) => tokens.remove(context, principal, id),
  }),
];
