import { type Endpoint, endpoint } from '../http/endpoint';
import { auditPage, auditQuery } from './audit.schema';
import type { AuditService } from './audit.service';

export const auditEndpoints = (audit: AuditService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/audit',
    tag: 'Atividade',
    summary: 'Quem alterou o quê, do mais novo ao mais antigo',
    query: auditQuery,
    status: 200,
    response: auditPage,
    errorStatuses: [],
    noStore: true,
    run: ({ query }) => audit.list(query),
  }),
];
