import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from './uptime.schema';
import type { UptimeService } from './uptime.service';

export const uptimeEndpoints = (uptime: UptimeService) =>
  withTag('Alertas', [
    endpoint('GET /uptime', {
      access: { role: 'viewer', scope: 'alerts:read', project: true },
      summary: 'Disponibilidade de um subdomínio ou de um tenant em até 90 dias',
      query: schemas.uptimeQuery,
      response: schemas.uptimeResponse,
      errorStatuses: [404],
      run: ({ principal, query }) => uptime.get(query, principal.projects),
    }),
    endpoint('GET /uptimes', {
      access: { role: 'viewer', scope: 'alerts:read', project: true },
      summary: 'Disponibilidade de vários subdomínios ou tenants em 90 dias, em resumo',
      query: schemas.uptimesQuery,
      response: schemas.uptimesResponse,
      run: ({ principal, query }) => uptime.list(query, principal.projects),
    }),
  ]);
