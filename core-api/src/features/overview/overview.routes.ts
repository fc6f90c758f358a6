import { type Endpoint, endpoint } from '../../platform/http/endpoint';
import { overviewResponse } from './overview.schema';
import type { OverviewService } from './overview.service';

export const overviewEndpoints = (overview: OverviewService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/overview',
    access: { role: 'viewer', scope: 'metrics:read', project: true },
    tag: 'Visão geral',
    summary:
      'O que precisa de alguém: hosts fora do ar, domínios à espera, certificados no fim, erros da última hora, mensagens',
    status: 200,
    response: overviewResponse,
    errorStatuses: [],
    run: ({ principal }) => overview.get(principal),
  }),
];
