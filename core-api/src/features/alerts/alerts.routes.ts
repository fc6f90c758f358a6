import { endpoint, withTag } from '../../platform/http/endpoint';
import * as schemas from './alerts.schema';
import type { AlertsService } from './alerts.service';

export const alertEndpoints = (alerts: AlertsService) =>
  withTag('Alertas', [
    endpoint('GET /alerts', {
      access: { role: 'viewer', scope: 'alerts:read' },
      summary: 'Lista alertas abertos e passados',
      query: schemas.alertsQuery,
      response: schemas.alertsResponse,
      run: ({ query }) => alerts.list(query),
    }),
    endpoint('POST /alerts/:id/acknowledge', {
      access: { role: 'operator', scope: 'alerts:write' },
      summary: 'Assume um alerta aberto',
      body: schemas.acknowledgeBody,
      example: { note: 'Reiniciando o serviço' },
      response: schemas.alertResponse,
      errorStatuses: [409],
      run: ({ context, params: { id }, body }) => alerts.acknowledge(context, id, body.note ?? null),
    }),
  ]);
