import { z } from 'zod';
import { endpoint, tagged } from '../../platform/http/endpoint';
import type { AlertSettingsService } from './alert-settings.service';
import { muteBody, muteResponse, windowBody, windowChanges, windowResponse } from './alerts.schema';

/** Mutes and maintenance windows. */
export const silenceEndpoints = (settings: AlertSettingsService) =>
  tagged('Alertas', [
    endpoint('GET /mutes', {
      access: { role: 'viewer', scope: 'alerts:read' },
      summary: 'Lista os silêncios em vigor',
      response: z.array(muteResponse),
      run: () => settings.mutes(),
    }),
    endpoint('POST /mutes', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Silencia um assunto até um instante',
      body: muteBody,
      example: { subject: { type: 'subdomain', id: 'loja' }, until: '2027-01-10T12:00:00Z', reason: 'Migração' },
      status: 201,
      response: muteResponse,
      run: ({ context, body }) => settings.mute(context, body),
    }),
    endpoint('DELETE /mutes/:id', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Termina um silêncio',
      run: ({ context, params: { id } }) => settings.unmute(context, id),
    }),
    endpoint('GET /maintenance-windows', {
      access: { role: 'viewer', scope: 'alerts:read' },
      summary: 'Lista as janelas de manutenção',
      response: z.array(windowResponse),
      run: () => settings.windows(),
    }),
    endpoint('POST /maintenance-windows', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Cria uma janela de manutenção',
      body: windowBody,
      example: {
        title: 'Atualização',
        subjects: [{ type: 'subdomain', id: 'loja' }],
        startsAt: '2027-01-10T02:00:00Z',
        endsAt: '2027-01-10T04:00:00Z',
        weekdays: [0],
      },
      status: 201,
      response: windowResponse,
      run: ({ context, body }) => settings.createWindow(context, body),
    }),
    endpoint('PUT /maintenance-windows/:id', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Altera uma janela de manutenção',
      body: windowChanges,
      example: { title: 'Troca de disco' },
      response: windowResponse,
      ifMatch: true,
      run: ({ context, params: { id }, body }) => settings.updateWindow(context, id, body),
    }),
    endpoint('DELETE /maintenance-windows/:id', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Remove uma janela de manutenção',
      run: ({ context, params: { id } }) => settings.removeWindow(context, id),
    }),
  ]);
