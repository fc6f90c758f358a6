import { z } from 'zod';
import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from '../alerts.schema';
import type { AlertChannelsService } from './alert-channels.service';

export const alertChannelEndpoints = (channels: AlertChannelsService) =>
  withTag('Alertas', [
    endpoint('GET /alert-channels', {
      access: { role: 'viewer', scope: 'alerts:read' },
      summary: 'Lista os canais dos alertas',
      response: z.array(schemas.channelResponse),
      noStore: true,
      run: () => channels.list(),
    }),
    endpoint('POST /alert-channels', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Cria um canal',
      body: schemas.channelBody,
      example: { name: 'Plantão', type: 'webhook', url: 'https://alertas.example.com/gancho' },
      status: 201,
      response: schemas.channelWithSecretResponse,
      errorStatuses: [409],
      noStore: true,
      run: ({ context, body }) => channels.create(context, body),
    }),
    endpoint('PUT /alert-channels/:id', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Altera um canal',
      body: schemas.channelChanges,
      example: { enabled: false },
      response: schemas.channelResponse,
      errorStatuses: [409],
      ifMatch: true,
      noStore: true,
      run: ({ context, params: { id }, body }) => channels.update(context, id, body),
    }),
    endpoint('DELETE /alert-channels/:id', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Remove um canal',
      run: ({ context, params: { id } }) => channels.remove(context, id),
    }),
    endpoint('POST /alert-channels/:id/test', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Envia uma mensagem de teste a um canal',
      errorStatuses: [502],
      run: ({ params: { id } }) => channels.test(id),
    }),
    endpoint('POST /alert-channels/:id/rotate-secret', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Troca o segredo de um webhook',
      body: schemas.rotateSecretBody,
      example: { graceSeconds: 3600 },
      response: schemas.channelWithSecretResponse,
      errorStatuses: [409],
      noStore: true,
      run: ({ context, params: { id }, body }) => channels.rotateSecret(context, id, body.graceSeconds),
    }),
  ]);
