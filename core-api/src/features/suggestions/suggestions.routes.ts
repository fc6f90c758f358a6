import { endpoint, withTag } from '../../platform/http/endpoint';
import * as schemas from './suggestions.schema';
import type { SuggestionsService } from './suggestions.service';

export const suggestionEndpoints = (suggestions: SuggestionsService) =>
  withTag('Subdomínios', [
    endpoint('GET /ai', {
      access: { role: 'viewer', scope: 'subdomains:read' },
      summary: 'Diz se há um modelo de IA configurado para as sugestões',
      response: schemas.suggesterResponse,
      run: async () => ({ configured: await suggestions.isConfigured() }),
    }),
    endpoint('POST /ai/suggest', {
      access: { role: 'operator', scope: 'subdomains:write' },
      summary: 'Sugere a configuração de um subdomínio a partir de uma descrição',
      body: schemas.suggestionBody,
      example: { description: 'Loja de bolos na porta 4500', existingSubdomains: ['loja'] },
      response: schemas.suggestionResponse,
      run: ({ body }) => suggestions.suggest(body.description, body.existingSubdomains),
    }),
  ]);
