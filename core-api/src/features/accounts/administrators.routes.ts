import { z } from 'zod';
import { type Endpoint, endpoint, noContent, publicEndpoint } from '../../platform/http/endpoint';
import { idParams } from '../../platform/http/fields';
import { administrator, administratorBody, invitation, rightsBody, setupBody } from './accounts.schema';
import type { AdministratorsService } from './administrators.service';

const tag = 'Administradores';
const reads = { role: 'administrator', scope: null, personOnly: true } as const;
const writes = { ...reads, sudo: true } as const;

export const administratorEndpoints = (administrators: AdministratorsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/admins',
    access: reads,
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
    access: writes,
    tag,
    summary: 'Cria um administrador, que define a própria senha com o token mostrado uma única vez',
    body: administratorBody,
    example: { username: 'ana', role: 'operator' },
    status: 201,
    response: invitation,
    errorStatuses: [409],
    noStore: true,
    run: ({ context, body }) => administrators.invite(context, body.username, body),
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
    method: 'put',
    path: '/admins/:id',
    access: writes,
    tag,
    summary: 'Altera o papel e os projetos de um administrador',
    params: idParams,
    body: rightsBody,
    example: { role: 'viewer', projects: null },
    status: 200,
    response: administrator,
    errorStatuses: [404, 409],
    run: ({ context, params: { id }, body }) => administrators.update(context, id, body),
  }),
  endpoint({
    method: 'post',
    path: '/admins/:id/reset',
    access: writes,
    tag,
    summary: 'Encerra senha, segunda etapa e sessões de um administrador e dá um token para uma senha nova',
    params: idParams,
    status: 201,
    response: invitation,
    errorStatuses: [404, 409],
    noStore: true,
    run: ({ context, principal, params: { id } }) => administrators.reset(context, principal._id, id),
  }),
  endpoint({
    method: 'delete',
    path: '/admins/:id',
    access: writes,
    tag,
    summary: 'Remove um administrador',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404, 409],
    run: ({ context, principal, params: { id } }) => administrators.remove(context, principal._id, id),
  }),
];
