import { endpoint, withTag } from '../../platform/http/endpoint';
import * as schemas from './overview.schema';
import type { OverviewService } from './overview.service';

export const overviewEndpoints = (overview: OverviewService) =>
  withTag('Visão geral', [
    endpoint('GET /overview', {
      access: { role: 'viewer', scope: 'metrics:read', project: true },
      summary:
        'O que precisa de alguém: hosts fora do ar, domínios à espera, certificados no fim, erros da última hora, mensagens',
      response: schemas.overviewResponse,
      run: ({ principal }) => overview.get(principal),
    }),
  ]);
