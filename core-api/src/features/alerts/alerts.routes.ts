import { z } from 'zod';
import { endpoint, tagged } from '../../platform/http/endpoint';
import type { AlertSettingsService } from './alert-settings.service';
import {
  acknowledgeBody,
  alertResponse,
  alertsQuery,
  alertsResponse,
  ruleBody,
  ruleChanges,
  ruleResponse,
} from './alerts.schema';
import type { AlertsService } from './alerts.service';

/** Alerts, and the rules that raise them. */
export const alertEndpoints = (alerts: AlertsService, settings: AlertSettingsService) =>
  tagged('Alertas', [
    endpoint('GET /alerts', {
      access: { role: 'viewer', scope: 'alerts:read' },
      summary: 'Lista alertas abertos e passados',
      query: alertsQuery,
      response: alertsResponse,
      run: ({ query }) => alerts.list(query),
    }),
    endpoint('POST /alerts/:id/acknowledge', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Assume um alerta aberto',
      body: acknowledgeBody,
      example: { note: 'Reiniciando o serviço' },
      response: alertResponse,
      errorStatuses: [409],
      run: ({ context, params: { id }, body }) => alerts.acknowledge(context, id, body.note ?? null),
    }),
    endpoint('GET /alert-rules', {
      access: { role: 'viewer', scope: 'alerts:read' },
      summary: 'Lista as regras dos alertas',
      response: z.array(ruleResponse),
      run: () => settings.rules(),
    }),
    endpoint('POST /alert-rules', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Cria a regra de um assunto',
      body: ruleBody,
      example: { kind: 'errors', subject: { type: 'subdomain', id: 'loja' }, thresholds: { percent: 10 } },
      status: 201,
      response: ruleResponse,
      errorStatuses: [409],
      run: ({ context, body }) => settings.createRule(context, body),
    }),
    endpoint('PUT /alert-rules/:id', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Altera uma regra',
      body: ruleChanges,
      example: { severity: 'critical' },
      response: ruleResponse,
      ifMatch: true,
      run: ({ context, params: { id }, body }) => settings.updateRule(context, id, body),
    }),
    endpoint('DELETE /alert-rules/:id', {
      access: { role: 'administrator', scope: 'alerts:write' },
      summary: 'Remove a regra de um assunto',
      errorStatuses: [409],
      run: ({ context, params: { id } }) => settings.removeRule(context, id),
    }),
  ]);
