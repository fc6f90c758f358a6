import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../platform/http/endpoint';
import { idParams } from '../../platform/http/fields';
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

const tag = 'Alertas';

/** Alerts, and the rules that raise them. */
export const alertEndpoints = (alerts: AlertsService, settings: AlertSettingsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/alerts',
    access: { role: 'viewer', scope: 'alerts:read' },
    tag,
    summary: 'Lista alertas abertos e passados',
    query: alertsQuery,
    status: 200,
    response: alertsResponse,
    errorStatuses: [400],
    run: ({ query }) => alerts.list(query),
  }),
  endpoint({
    method: 'post',
    path: '/alerts/:id/acknowledge',
    access: { role: 'operator', scope: 'alerts:write' },
    tag,
    summary: 'Assume um alerta aberto',
    params: idParams,
    body: acknowledgeBody,
    example: { note: 'Reiniciando o serviço' },
    status: 200,
    response: alertResponse,
    errorStatuses: [404, 409],
    run: ({ context, params: { id }, body }) => alerts.acknowledge(context, id, body.note ?? null),
  }),
  endpoint({
    method: 'get',
    path: '/alert-rules',
    access: { role: 'viewer', scope: 'alerts:read' },
    tag,
    summary: 'Lista as regras dos alertas',
    status: 200,
    response: z.array(ruleResponse),
    errorStatuses: [],
    run: () => settings.rules(),
  }),
  endpoint({
    method: 'post',
    path: '/alert-rules',
    access: { role: 'administrator', scope: 'alerts:write' },
    tag,
    summary: 'Cria a regra de um assunto',
    body: ruleBody,
    example: { kind: 'errors', subject: { type: 'subdomain', id: 'loja' }, thresholds: { percent: 10 } },
    status: 201,
    response: ruleResponse,
    errorStatuses: [409],
    run: ({ context, body }) => settings.createRule(context, body),
  }),
  endpoint({
    method: 'put',
    path: '/alert-rules/:id',
    access: { role: 'administrator', scope: 'alerts:write' },
    tag,
    summary: 'Altera uma regra',
    params: idParams,
    body: ruleChanges,
    example: { severity: 'critical' },
    status: 200,
    response: ruleResponse,
    errorStatuses: [404],
    ifMatch: true,
    run: ({ context, params: { id }, body }) => settings.updateRule(context, id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/alert-rules/:id',
    access: { role: 'administrator', scope: 'alerts:write' },
    tag,
    summary: 'Remove a regra de um assunto',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404, 409],
    run: ({ context, params: { id } }) => settings.removeRule(context, id),
  }),
];
