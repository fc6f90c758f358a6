import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../platform/http/endpoint';
import { type IntegrationName, type IntegrationsService, integrationNames } from './integrations.service';

const tag = 'Configurações';
const SUMMARIES: Record<IntegrationName, string> = {
  email: 'Envia um e-mail de teste',
  ai: 'Pede uma sugestão de teste ao modelo de IA',
};

export const integrationEndpoints = (integrations: IntegrationsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/integrations',
    access: { role: 'viewer', scope: 'settings:read' },
    tag,
    summary: 'Diz o que está configurado por variáveis da instalação',
    status: 200,
    response: z.object({ email: z.boolean(), ai: z.boolean() }),
    errorStatuses: [],
    run: () => integrations.configured(),
  }),
  ...integrationNames.map((name) =>
    endpoint({
      method: 'post',
      path: `/integrations/${name}/test`,
      access: { role: 'administrator', scope: 'settings:write' },
      tag,
      summary: SUMMARIES[name],
      status: 204,
      response: noContent,
      errorStatuses: [400, 502],
      run: () => integrations.test(name),
    }),
  ),
];
