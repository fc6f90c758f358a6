import { z } from 'zod';
import { endpoint, tagged } from '../../platform/http/endpoint';
import { serviceAccount, serviceAccountBody, serviceAccountChanges } from './accounts.schema';
import type { ServiceAccountsService } from './service-accounts.service';

const reads = { role: 'administrator', scope: null, personOnly: true } as const;
const writes = { ...reads, sudo: true } as const;

export const serviceAccountEndpoints = (serviceAccounts: ServiceAccountsService) =>
  tagged('Contas de serviço', [
    endpoint('GET /service-accounts', {
      access: reads,
      summary: 'Lista as contas de serviço por nome',
      response: z.array(serviceAccount),
      run: () => serviceAccounts.list(),
    }),
    endpoint('POST /service-accounts', {
      access: writes,
      summary: 'Cria uma conta de serviço, que só trabalha com tokens',
      body: serviceAccountBody,
      example: { name: 'pipeline', role: 'operator' },
      status: 201,
      response: serviceAccount,
      errorStatuses: [409],
      run: ({ context, body }) => serviceAccounts.create(context, body),
    }),
    endpoint('PUT /service-accounts/:id', {
      access: writes,
      summary: 'Altera uma conta de serviço',
      body: serviceAccountChanges,
      example: { role: 'viewer' },
      response: serviceAccount,
      errorStatuses: [409],
      run: ({ context, params: { id }, body }) => serviceAccounts.update(context, id, body),
    }),
    endpoint('DELETE /service-accounts/:id', {
      access: writes,
      summary: 'Remove uma conta de serviço e os tokens dela',
      run: ({ context, params: { id } }) => serviceAccounts.remove(context, id),
    }),
  ]);
