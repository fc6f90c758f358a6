import { endpoint, tagged } from '../../../platform/http/endpoint';
import { usageQuery, usageResponse } from './usage.schema';
import type { UsageService } from './usage.service';

export const usageEndpoints = (usage: UsageService) =>
  tagged('Gateway: chaves', [
    endpoint('GET /gateway/admin/usage', {
      access: { role: 'viewer', scope: 'metrics:read' },
      summary: 'Requisições e erros por chave ao longo do tempo',
      query: usageQuery,
      response: usageResponse,
      run: ({ query }) => usage.history(query.range),
    }),
  ]);
