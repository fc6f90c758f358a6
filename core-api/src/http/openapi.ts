import { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Endpoint } from './endpoint';

const errorSchema = z
  .object({
    error: z.string(),
    details: z.string().optional(),
    fields: z.record(z.string(), z.string()).optional(),
    codeRequired: z.boolean().optional(),
  })
  .meta({ id: 'Error', description: 'Frases em português que uma tela pode mostrar como estão.' });

const ifMatchHeader = z.object({
  'If-Match': z.string().optional().meta({ description: 'A versão que se viu, entre aspas', example: '"3"' }),
});

const json = (schema: z.ZodType, type = 'application/json') => ({ [type]: { schema } });

const statusDescriptions: Record<number, string> = {
  400: 'Entrada inválida',
  401: 'Sem token válido',
  404: 'Não existe',
  409: 'Conflito',
  412: 'Alterado por outra pessoa desde a versão informada',
  413: 'Corpo acima de 100 KB (de 4 MB na importação de rotas)',
  415: 'O corpo não é JSON',
  429: 'Tentativas demais',
  502: 'Uma parte externa falhou',
  503: 'Indisponível no momento',
};

/** Statuses of an endpoint besides its success: what its declaration names and what every endpoint of its shape can answer. */
function errorStatusesOf({ errorStatuses, public: isPublic, body, query, params, ifMatch }: Endpoint): number[] {
  const general = [
    ...(isPublic ? [] : [401]),
    ...(body ? [400, 413, 415] : []),
    ...(query ? [400] : []),
    ...(params ? [404] : []),
    ...(ifMatch ? [412] : []),
    503,
  ];
  return [...new Set([...errorStatuses, ...general])].sort((a, b) => a - b);
}

/** The OpenAPI 3.1 document of all endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[]) {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const success = {
      description: 'Sucesso',
      ...(endpoint.status === 204 ? {} : { content: json(endpoint.response, endpoint.contentType) }),
    };
    const errors = errorStatusesOf(endpoint).map((status) => [
      status,
      { description: statusDescriptions[status] ?? '', content: json(errorSchema) },
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
          ...(endpoint.ifMatch ? { header: ifMatchHeader } : {}),
        },
        ...(endpoint.body
          ? {
              requestBody: {
                required: true,
                content: { 'application/json': { schema: endpoint.body, example: endpoint.example } },
              },
            }
          : {}),
        responses: { [endpoint.status]: success, ...Object.fromEntries(errors) },
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
