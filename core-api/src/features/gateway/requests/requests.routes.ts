import { endpoint, withTag } from '../../../platform/http/endpoint';
import type { RequestLogService } from './request-log.service';
import * as schemas from './requests.schema';

export const requestEndpoints = (requests: RequestLogService) =>
  withTag('Gateway: requisições', [
    endpoint('GET /gateway/admin/requests', {
      access: { role: 'viewer', scope: 'metrics:read' },
      summary: 'As últimas requisições na borda, das mais novas para as mais antigas',
      query: schemas.requestQuery,
      response: schemas.requestsResponse,
      run: async ({ query }) => ({ requests: await requests.list(query) }),
    }),
  ]);
