import { type Endpoint, endpoint } from '../http/endpoint';
import { overviewResponse } from './overview.schema';
import type { OverviewService } from './overview.service';

export const overviewEndpoints = (overview: OverviewService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/overview',
    tag: 'Visão geral',
    summary:
      'O que precisa de alguém: hosts fora do ar, domínios à espera, certificados no fim, erros da última hora, mensagens',
    status: 200,
    response: overviewResponse,
    errorStatuses: [],
    run: () => overview.get(),
  }),
];
