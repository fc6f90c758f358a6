import { requireAccess } from '../../../platform/http/access/authorization';
import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from './dry-run.schema';
import type { DryRunService } from './dry-run.service';

export const dryRunEndpoints = (dryRun: DryRunService) =>
  withTag('Gateway: rotas', [
    endpoint('POST /gateway/admin/test', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'O que a borda responderia, passo a passo; nada é contado',
      body: schemas.dryRunBody,
      example: { method: 'GET', path: '/vendas/pedidos/7', key: 'sk7_…', address: '203.0.113.10' },
      response: schemas.dryRunResponse,
      noStore: true,
      run: ({ context, principal, body }) => {
        // A real call reaches the service, so it needs more rights than the test.
        if (body.call) requireAccess(principal, { role: 'operator', scope: 'gateway:write' });
        return dryRun.run(body, context);
      },
    }),
  ]);
