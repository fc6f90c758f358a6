import { type Endpoint, endpoint } from '../../../platform/http/endpoint';
import {
  keyActivityResponse,
  metricsCsvQuery,
  metricsCsvResponse,
  metricsQuery,
  metricsResponse,
} from './metrics.schema';
import type { MetricsService } from './metrics.service';

const tag = 'Gateway: métricas';

export const metricsEndpoints = (metrics: MetricsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/metrics',
    access: { role: 'viewer', scope: 'metrics:read' },
    tag,
    summary: 'Requisições por classe, recusas por motivo e latências, ao longo do tempo e por serviço, rota ou chave',
    query: metricsQuery,
    status: 200,
    response: metricsResponse,
    errorStatuses: [],
    run: ({ query }) => metrics.get(query),
  }),
  endpoint({
    method: 'get',
    path: '/gateway/admin/metrics/csv',
    access: { role: 'viewer', scope: 'metrics:read' },
    tag,
    summary: 'O mesmo como tabela CSV, uma linha por intervalo e serviço, rota ou chave',
    query: metricsCsvQuery,
    status: 200,
    response: metricsCsvResponse,
    contentType: 'text/csv',
    errorStatuses: [],
    run: ({ query }) => metrics.csv(query),
  }),
  endpoint({
    method: 'get',
    path: '/gateway/admin/metrics/keys',
    access: { role: 'viewer', scope: 'metrics:read' },
    tag,
    summary: 'Requisições de cada chave nas últimas 24 horas, hora a hora',
    status: 200,
    response: keyActivityResponse,
    errorStatuses: [],
    run: () => metrics.keyActivity(),
  }),
];
