import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from './metrics.schema';
import type { MetricsService } from './metrics.service';

export const metricsEndpoints = (metrics: MetricsService) =>
  withTag('Gateway: métricas', [
    endpoint('GET /gateway/admin/metrics', {
      access: { role: 'viewer', scope: 'metrics:read' },
      summary: 'Requisições por classe, recusas por motivo e latências, ao longo do tempo e por serviço, rota ou chave',
      query: schemas.metricsQuery,
      response: schemas.metricsResponse,
      run: ({ query }) => metrics.get(query),
    }),
    endpoint('GET /gateway/admin/metrics/csv', {
      access: { role: 'viewer', scope: 'metrics:read' },
      summary: 'O mesmo como tabela CSV, uma linha por intervalo e serviço, rota ou chave',
      query: schemas.metricsCsvQuery,
      response: schemas.metricsCsvResponse,
      contentType: 'text/csv',
      run: ({ query }) => metrics.createCsv(query),
    }),
    endpoint('GET /gateway/admin/metrics/keys', {
      access: { role: 'viewer', scope: 'metrics:read' },
      summary: 'Requisições de cada chave nas últimas 24 horas, hora a hora',
      response: schemas.keyActivityResponse,
      run: () => metrics.getKeyActivity(),
    }),
  ]);
