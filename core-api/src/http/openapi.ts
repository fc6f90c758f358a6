import { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Endpoint } from './endpoint';

const failure = z
  .object({ error: z.string(), details: z.string().optional(), fields: z.record(z.string(), z.string()).optional() })
  .meta({ id: 'Error', description: 'Frases em português que uma tela pode mostrar como estão.' });

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

const meanings: Record<number, string> = {
  400: 'Entrada inválida',
  401: 'Sem token válido',
  404: 'Não existe',
  409: 'Conflito',
  413: 'Corpo acima de 100 KB',
  415: 'O corpo não é JSON',
  429: 'Tentativas demais',
  502: 'Uma parte externa falhou',
  503: 'Indisponível no momento',
};

/** Statuses of an endpoint besides its success: what its declaration names and what every endpoint of its shape can answer. */
function failuresOf({ errors, public: open, body, query, params }: Endpoint): number[] {
  const general = [
    ...(open ? [] : [401]),
    ...(body ? [400, 413, 415] : []),
    ...(query ? [400] : []),
    ...(params ? [404] : []),
    503,
  ];
  return [...new Set([...errors, ...general])].sort((a, b) => a - b);
}

/** The OpenAPI 3.1 document of all endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[]) {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const success = { description: 'Sucesso', ...(endpoint.status === 204 ? {} : { content: json(endpoint.answer) }) };
    const failures = failuresOf(endpoint).map((status) => [
      status,
      { description: meanings[status] ?? '', content: json(failure) },
    ]);
    paths[path] = {
      ...paths[path],
      [endpoint.method]: {
        tags: [endpoint.tag],
        summary: endpoint.summary,
        ...(endpoint.public ? { security: [] } : {}),
        requestParams: {
          ...(endpoint.params instanceof z.ZodObject ? { path: endpoint.params } : {}),
          ...(endpoint.query instanceof z.ZodObject ? { query: endpoint.query } : {}),
        },
        ...(endpoint.body
          ? {
              requestBody: {
                required: true,
                content: { 'application/json': { schema: endpoint.body, example: endpoint.example } },
              },
            }
          : {}),
        responses: { [endpoint.status]: success, ...Object.fromEntries(failures) },
      },
    };
  }
  return createDocument({
    openapi: '3.1.1',
    info: { title: 'API do estúdio', version: '1.0.0' },
    servers: [{ url: '/api' }],
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    paths,
  });
}
