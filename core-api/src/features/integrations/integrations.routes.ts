import { z } from 'zod';
import { endpoint, withTag } from '../../platform/http/endpoint';
import { type IntegrationName, type IntegrationsService, integrationNames } from './integrations.service';

const SUMMARIES: Record<IntegrationName, string> = {
  email: 'Envia um e-mail de teste',
  ai: 'Pede uma sugestão de teste ao modelo de IA',
};

export const integrationEndpoints = (integrations: IntegrationsService) =>
  withTag('Configurações', [
    endpoint('GET /integrations', {
      access: { role: 'viewer', scope: 'settings:read' },
      summary: 'Diz o que está configurado por variáveis da instalação',
      response: z.object({ email: z.boolean(), ai: z.boolean() }),
      run: () => integrations.getConfigured(),
    }),
    ...integrationNames.map((name) =>
      endpoint(`POST /integrations/${name}/test`, {
        access: { role: 'administrator', scope: 'settings:write' },
        summary: SUMMARIES[name],
        errorStatuses: [400, 502],
        run: () => integrations.test(name),
      }),
    ),
  ]);
