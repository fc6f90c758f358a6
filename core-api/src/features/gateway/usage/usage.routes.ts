import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from './usage.schema';
import type { UsageService } from './usage.service';

export const usageEndpoints = (usage: UsageService) =>
  withTag('Gateway: chaves', [
    endpoint('GET /gateway/admin/usage', {
      access: { role: 'viewer', scope: 'metrics:read' },
      summary: 'Requisições e erros por chave ao longo do tempo',
      query: schemas.usageQuery,
      response: schemas.usageResponse,
      run: ({ query }) => usage.getHistory(query.range),
    }),
  ]);
