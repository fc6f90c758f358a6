import { type Endpoint, endpoint } from '../http/endpoint';
import { suggestionAnswer, suggestionBody } from './suggestions.schema';
import type { SuggestionsService } from './suggestions.service';

export const suggestionEndpoints = (suggestions: SuggestionsService): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/ai/suggest',
    tag: 'Subdomínios',
    summary: 'Sugere a configuração de um subdomínio a partir de uma descrição',
    body: suggestionBody,
    example: { description: 'Loja de bolos na porta 4500', existingSubdomains: ['loja'] },
    status: 200,
    answer: suggestionAnswer,
    errors: [],
    run: ({ body }) => suggestions.suggest(body.description, body.existingSubdomains),
  }),
];
