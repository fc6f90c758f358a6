import { endpoint, withTag } from '../../platform/http/endpoint';
import * as schemas from './audit.schema';
import type { AuditService } from './audit.service';

export const auditEndpoints = (audit: AuditService) =>
  withTag('Atividade', [
    endpoint('GET /audit', {
      access: { role: 'operator', scope: 'audit:read' },
      summary: 'Quem alterou o quê, do mais novo ao mais antigo',
      query: schemas.auditQuery,
      response: schemas.auditPage,
      noStore: true,
      run: ({ principal, query }) => audit.list(query, principal.role),
    }),
  ]);
