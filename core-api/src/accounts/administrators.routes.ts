import { z } from 'zod';
import { type Endpoint, endpoint, noContent, publicEndpoint } from '../http/endpoint';
import { idParams } from '../http/fields';
import { administrator, administratorBody, invitation, setupBody } from './accounts.schema';
import type { AdministratorsService } from './administrators.service';

const tag = 'Administradores';

export const administratorEndpoints = (administrators: AdministratorsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/admins',
    tag,
    summary: 'Lista os administradores por nome',
    status: 200,
    response: z.array(administrator),
    errorStatuses: [],
    run: () => administrators.list(),
  }),
  endpoint({
    method: 'post',
    path: '/admins',
    tag,
    summary: 'Cria um administrador, que define a própria senha com o token mostrado uma única vez',
    body: administratorBody,
    example: { username: 'ana' },
    status: 201,
    response: invitation,
    errorStatuses: [409],
    noStore: true,
    run: ({ context, body }) => administrators.invite(context, body.username),
  }),
  publicEndpoint({
    method: 'post',
    path: '/setup',
    tag,
    summary: 'Define a senha com o token de um convite',
    body: setupBody,
    example: { token: 'q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80', password: 'uma senha longa' },
    status: 204,
    response: noContent,
    errorStatuses: [429],
    noStore: true,
    run: ({ body, clientAddress: address, requestId }) =>
      administrators.setUp({ address, requestId }, body.token, body.password),
  }),
  endpoint({
    method: 'post',
    path: '/admins/:id/reset',
    tag,
    summary: 'Encerra senha, segunda etapa e sessões de um administrador e dá um token para uma senha nova',
    params: idParams,
    status: 201,
    response: invitation,
    errorStatuses: [404],
    noStore: true,
    run: ({ context, params: { id } }) => administrators.reset(context, id),
  }),
  endpoint({
    method: 'delete',
    path: '/admins/:id',
    tag,
    summary: 'Remove um administrador',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404, 409],
    run: ({ context, principal, params: { id } }) => administrators.remove(context, principal._id, id),
  }),
];
