import { z } from 'zod';
import { endpoint, publicEndpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from '../accounts.schema';
import type { AdministratorsService } from './administrators.service';
import type { ServiceAccountsService } from './service-accounts.service';

const readAccess = { role: 'administrator', scope: null, personOnly: true } as const;
const writeAccess = { ...readAccess, sudo: true } as const;

export const administratorEndpoints = (administrators: AdministratorsService) =>
  withTag('Administradores', [
    endpoint('GET /admins', {
      access: readAccess,
      summary: 'Lista os administradores por nome',
      response: z.array(schemas.administratorResponse),
      run: () => administrators.list(),
    }),
    endpoint('POST /admins', {
      access: writeAccess,
      summary: 'Cria um administrador, que define a própria senha com o token mostrado uma única vez',
      body: schemas.administratorBody,
      example: { username: 'ana', role: 'operator' },
      status: 201,
      response: schemas.invitationResponse,
      errorStatuses: [409],
      noStore: true,
      run: ({ context, body }) => administrators.invite(context, body.username, body),
    }),
    publicEndpoint('POST /setup', {
      summary: 'Define a senha com o token de um convite',
      body: schemas.setupBody,
      example: { token: 'q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80', password: 'uma senha longa' },
      errorStatuses: [429],
      noStore: true,
      run: ({ body, clientAddress: address, requestId }) =>
        administrators.setUp({ address, requestId }, body.token, body.password),
    }),
    endpoint('PUT /admins/:id', {
      access: writeAccess,
      summary: 'Altera o papel e os projetos de um administrador',
      body: schemas.rightsBody,
      example: { role: 'viewer', projects: null },
      response: schemas.administratorResponse,
      errorStatuses: [409],
      run: ({ context, params: { id }, body }) => administrators.update(context, id, body),
    }),
    endpoint('POST /admins/:id/reset', {
      access: writeAccess,
      summary: 'Encerra senha, segunda etapa e sessões de um administrador e dá um token para uma senha nova',
      status: 201,
      response: schemas.invitationResponse,
      errorStatuses: [409],
      noStore: true,
      run: ({ context, principal, params: { id } }) => administrators.reset(context, { id, callerId: principal._id }),
    }),
    endpoint('DELETE /admins/:id', {
      access: writeAccess,
      summary: 'Remove um administrador',
      errorStatuses: [409],
      run: ({ context, principal, params: { id } }) => administrators.remove(context, { id, callerId: principal._id }),
    }),
  ]);

export const serviceAccountEndpoints = (serviceAccounts: ServiceAccountsService) =>
  withTag('Contas de serviço', [
    endpoint('GET /service-accounts', {
      access: readAccess,
      summary: 'Lista as contas de serviço por nome',
      response: z.array(schemas.serviceAccountResponse),
      run: () => serviceAccounts.list(),
    }),
    endpoint('POST /service-accounts', {
      access: writeAccess,
      summary: 'Cria uma conta de serviço, que só trabalha com tokens',
      body: schemas.serviceAccountBody,
      example: { name: 'pipeline', role: 'operator' },
      status: 201,
      response: schemas.serviceAccountResponse,
      errorStatuses: [409],
      run: ({ context, body }) => serviceAccounts.create(context, body),
    }),
    endpoint('PUT /service-accounts/:id', {
      access: writeAccess,
      summary: 'Altera uma conta de serviço',
      body: schemas.serviceAccountChanges,
      example: { role: 'viewer' },
      response: schemas.serviceAccountResponse,
      errorStatuses: [409],
      run: ({ context, params: { id }, body }) => serviceAccounts.update(context, id, body),
    }),
    endpoint('DELETE /service-accounts/:id', {
      access: writeAccess,
      summary: 'Remove uma conta de serviço e os tokens dela',
      run: ({ context, params: { id } }) => serviceAccounts.remove(context, id),
    }),
  ]);
