import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../platform/http/endpoint';
import { idParams } from '../../platform/http/fields';
import { serviceAccount, serviceAccountBody, serviceAccountChanges } from './accounts.schema';
import type { ServiceAccountsService } from './service-accounts.service';

const tag = 'Contas de serviço';
const reads = { role: 'administrator', scope: null, personOnly: true } as const;
const writes = { ...reads, sudo: true } as const;

export const serviceAccountEndpoints = (serviceAccounts: ServiceAccountsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/service-accounts',
    access: reads,
    tag,
    summary: 'Lista as contas de serviço por nome',
    status: 200,
    response: z.array(serviceAccount),
    errorStatuses: [],
    run: () => serviceAccounts.list(),
  }),
  endpoint({
    method: 'post',
    path: '/service-accounts',
    access: writes,
    tag,
    summary: 'Cria uma conta de serviço, que só trabalha com tokens',
    body: serviceAccountBody,
    example: { name: 'pipeline', role: 'operator' },
    status: 201,
    response: serviceAccount,
    errorStatuses: [409],
    run: ({ context, body }) => serviceAccounts.create(context, body),
  }),
  endpoint({
    method: 'put',
    path: '/service-accounts/:id',
    access: writes,
    tag,
    summary: 'Altera uma conta de serviço',
    params: idParams,
    body: serviceAccountChanges,
    example: { role: 'viewer' },
    status: 200,
    response: serviceAccount,
    errorStatuses: [404, 409],
    run: ({ context, params: { id }, body }) => serviceAccounts.update(context, id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/service-accounts/:id',
    access: writes,
    tag,
    summary: 'Remove uma conta de serviço e os tokens dela',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404],
    run: ({ context, params: { id } }) => serviceAccounts.remove(context, id),
  }),
];
