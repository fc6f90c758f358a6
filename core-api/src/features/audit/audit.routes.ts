import { type Endpoint, endpoint } from '../../platform/http/endpoint';
import { auditPage, auditQuery } from './audit.schema';
import type { AuditService } from './audit.service';

export const auditEndpoints = (audit: AuditService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/audit',
    access: { role: 'operator', scope: 'audit:read' },
    tag: 'Atividade',
    summary: 'Quem alterou o quê, do mais novo ao mais antigo',
    query: auditQuery,
    status: 200,
    response: auditPage,
    errorStatuses: [],
    noStore: true,
    run: ({ principal, query }) => audit.list(query, principal.role),
  }),
];
