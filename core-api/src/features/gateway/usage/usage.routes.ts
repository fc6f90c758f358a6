import { type Endpoint, endpoint } from '../../../platform/http/endpoint';
import { usageQuery, usageResponse } from './usage.schema';
import type { UsageService } from './usage.service';

export const usageEndpoints = (usage: UsageService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/usage',
    access: { role: 'viewer', scope: 'metrics:read' },
    tag: 'Gateway: chaves',
    summary: 'Requisições e erros por chave ao longo do tempo',
    query: usageQuery,
    status: 200,
    response: usageResponse,
    errorStatuses: [],
    run: ({ query }) => usage.history(query.range),
  }),
];
