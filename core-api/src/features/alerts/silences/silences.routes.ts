import { z } from 'zod';
import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from '../alerts.schema';
import type { SilencesService } from './silences.service';

export const silenceEndpoints = (silences: SilencesService) =>
  withTag('Alertas', [
    endpoint('GET /mutes', {
      access: { role: 'viewer', scope: 'alerts:read' },
      summary: 'Lista os silêncios em vigor',
      response: z.array(schemas.muteResponse),
      run: () => silences.listMutes(),
    }),
    endpoint('POST /mutes', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Silencia um assunto até um instante',
      body: schemas.muteBody,
      example: { subject: { type: 'subdomain', id: 'loja' }, until: '2027-01-10T12:00:00Z', reason: 'Migração' },
      status: 201,
      response: schemas.muteResponse,
      run: ({ context, body }) => silences.createMute(context, body),
    }),
    endpoint('DELETE /mutes/:id', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Termina um silêncio',
      run: ({ context, params: { id } }) => silences.removeMute(context, id),
    }),
    endpoint('GET /maintenance-windows', {
      access: { role: 'viewer', scope: 'alerts:read' },
      summary: 'Lista as janelas de manutenção',
      response: z.array(schemas.windowResponse),
      run: () => silences.listWindows(),
    }),
    endpoint('POST /maintenance-windows', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Cria uma janela de manutenção',
      body: schemas.windowBody,
      example: {
        title: 'Atualização',
        subjects: [{ type: 'subdomain', id: 'loja' }],
        startsAt: '2027-01-10T02:00:00Z',
        endsAt: '2027-01-10T04:00:00Z',
        weekdays: [0],
      },
      status: 201,
      response: schemas.windowResponse,
      run: ({ context, body }) => silences.createWindow(context, body),
    }),
    endpoint('PUT /maintenance-windows/:id', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Altera uma janela de manutenção',
      body: schemas.windowChanges,
      example: { title: 'Troca de disco' },
      response: schemas.windowResponse,
      ifMatch: true,
      run: ({ context, params: { id }, body }) => silences.updateWindow(context, id, body),
    }),
    endpoint('DELETE /maintenance-windows/:id', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Remove uma janela de manutenção',
      run: ({ context, params: { id } }) => silences.removeWindow(context, id),
    }),
  ]);
