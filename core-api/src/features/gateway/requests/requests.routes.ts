import { type Endpoint, endpoint } from '../../../platform/http/endpoint';
import type { RequestLogService } from './request-log.service';
import { requestQuery, requestsResponse } from './requests.schema';

export const requestEndpoints = (requests: RequestLogService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/requests',
    access: { role: 'viewer', scope: 'metrics:read' },
    tag: 'Gateway: requisições',
    summary: 'As últimas requisições na borda, das mais novas para as mais antigas',
    query: requestQuery,
    status: 200,
    response: requestsResponse,
    errorStatuses: [],
    run: async ({ query }) => ({ requests: await requests.list(query) }),
  }),
];
