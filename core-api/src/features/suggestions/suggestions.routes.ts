import { type Endpoint, endpoint } from '../../platform/http/endpoint';
import { suggesterResponse, suggestionBody, suggestionResponse } from './suggestions.schema';
import type { SuggestionsService } from './suggestions.service';

export const suggestionEndpoints = (suggestions: SuggestionsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/ai',
    access: { role: 'viewer', scope: 'subdomains:read' },
    tag: 'Subdomínios',
    summary: 'Diz se há um modelo de IA configurado para as sugestões',
    status: 200,
    response: suggesterResponse,
    errorStatuses: [],
    run: async () => ({ configured: await suggestions.isConfigured() }),
  }),
  endpoint({
    method: 'post',
    path: '/ai/suggest',
    access: { role: 'operator', scope: 'subdomains:write' },
    tag: 'Subdomínios',
    summary: 'Sugere a configuração de um subdomínio a partir de uma descrição',
    body: suggestionBody,
    example: { description: 'Loja de bolos na porta 4500', existingSubdomains: ['loja'] },
    status: 200,
    response: suggestionResponse,
    errorStatuses: [],
    run: ({ body }) => suggestions.suggest(body.description, body.existingSubdomains),
  }),
];
