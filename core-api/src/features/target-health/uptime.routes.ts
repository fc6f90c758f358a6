import { type Endpoint, endpoint } from '../../platform/http/endpoint';
import { uptimeQuery, uptimeResponse, uptimesQuery, uptimesResponse } from './uptime.schema';
import type { UptimeService } from './uptime.service';

export const uptimeEndpoints = (uptime: UptimeService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/uptime',
    access: { role: 'viewer', scope: 'alerts:read', project: true },
    tag: 'Alertas',
    summary: 'Disponibilidade de um subdomínio ou de um tenant em até 90 dias',
    query: uptimeQuery,
    status: 200,
    response: uptimeResponse,
    errorStatuses: [400, 404],
    run: ({ principal, query }) => uptime.get(query, principal.projects),
  }),
  endpoint({
    method: 'get',
    path: '/uptimes',
    access: { role: 'viewer', scope: 'alerts:read', project: true },
    tag: 'Alertas',
    summary: 'Disponibilidade de vários subdomínios ou tenants em 90 dias, em resumo',
    query: uptimesQuery,
    status: 200,
    response: uptimesResponse,
    errorStatuses: [400],
    run: ({ principal, query }) => uptime.list(query, principal.projects),
  }),
];
