import { endpoint, withTag } from '../../platform/http/endpoint';
import { auditPage, auditQuery } from './audit.schema';
import type { AuditService } from './audit.service';

export const auditEndpoints = (audit: AuditService) =>
  withTag('Atividade', [
    endpoint('GET /audit', {
      access: { role: 'operator', scope: 'audit:read' },
      summary: 'Quem alterou o quê, do mais novo ao mais antigo',
      query: auditQuery,
      response: auditPage,
      noStore: true,
      run: ({ principal, query }) => audit.list(query, principal.role),
    }),
  ]);
