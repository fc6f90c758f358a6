import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { toPublishedAccess } from '../access/access';
import type { Endpoint } from '../endpoint';

const errorSchema = z
  .object({
    error: z.string(),
    details: z.string().optional(),
    fields: z.record(z.string(), z.string()).optional(),
    codeRequired: z.boolean().optional(),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .optional()
      .meta({ description: 'Registro de DNS que a chamada repetida procura' }),
    heldBy: z
      .object({ kind: z.enum(['subdomain', 'tenant']), id: z.string(), name: z.string() })
      .optional()
      .meta({ description: 'Quem já usa o endereço; o id de um subdomínio é o nome dele' }),
    required: z.object({ role: z.string(), scope: z.string().nullable() }).optional(),
    sudoRequired: z.boolean().optional(),
  })
  .meta({ id: 'Error', description: 'Frases em português que uma tela pode mostrar como estão.' });

const ifMatchHeader = z.object({
  'If-Match': z.string().optional().meta({ description: 'A versão que se viu, entre aspas', example: '"3"' }),
});

const BYTES = { type: 'string', format: 'binary' } as const;

const createJsonContent = (schema: z.ZodType, type = 'application/json') => ({ [type]: { schema } });

const statusDescriptions: Record<number, string> = {
  400: 'Entrada inválida',
  401: 'Sem token válido',
  403: 'O papel, o escopo, o endereço ou a falta de confirmação da senha não permite',
  404: 'Não existe',
  409: 'Conflito',
  412: 'Alterado por outra pessoa desde a versão informada',
  413: 'Corpo acima do limite: 100 KB, 4 MB na importação de rotas, 200 MB para pacotes',
  415: 'O corpo é de outro tipo',
  429: 'Tentativas demais',
  502: 'Uma parte externa falhou',
  503: 'Indisponível no momento',
  507: 'O espaço dos sites acabou',
};

/** Returns the endpoint's `errorStatuses` and the statuses that its other options imply, such as 415 for a body. */
function listErrorStatuses(endpoint: Endpoint): number[] {
  const { errorStatuses, access, body, upload, query, params, ifMatch } = endpoint;
  const impliedStatuses = [
    ...(access ? [401, 403] : []),
    ...(body ? [400, 413, 415] : []),
    ...(upload && !upload.includes('*/*') ? [415] : []),
    ...(query ? [400] : []),
    ...(params ? [404] : []),
    ...(ifMatch ? [412] : []),
    503,
  ];
  return [...new Set([...errorStatuses, ...impliedStatuses])].sort((a, b) => a - b);
}

function createRequestContent({ upload, body, example }: Endpoint) {
  if (upload) return Object.fromEntries(upload.map((type) => [type, { schema: BYTES }]));
  return body && { 'application/json': { schema: body, example } };
}

function createResponses(endpoint: Endpoint) {
  const optionalBody = endpoint.response instanceof z.ZodOptional ? endpoint.response.def.innerType : undefined;
  const response = optionalBody instanceof z.ZodType ? optionalBody : endpoint.response;
  const success = {
    description: 'Sucesso',
    ...(endpoint.status === 204 ? {} : { content: createJsonContent(response, endpoint.contentType) }),
  };
  const errors = listErrorStatuses(endpoint).map((status) => [
    status,
    { description: statusDescriptions[status] ?? '', content: createJsonContent(errorSchema) },
  ]);
  return {
    [endpoint.status]: success,
    ...(optionalBody && { 204: { description: 'Sucesso, sem corpo' } }),
    ...Object.fromEntries(errors),
  };
}

function createOperation(endpoint: Endpoint): ZodOpenApiOperationObject {
  const content = createRequestContent(endpoint);
  return {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.access ? {} : { security: [] }),
    'x-access': toPublishedAccess(endpoint.access),
    requestParams: {
      ...(endpoint.params instanceof z.ZodObject ? { path: endpoint.params } : {}),
      ...(endpoint.query instanceof z.ZodObject ? { query: endpoint.query } : {}),
      ...(endpoint.ifMatch ? { header: ifMatchHeader } : {}),
    },
    ...(content && { requestBody: { required: true, content } }),
    responses: createResponses(endpoint),
  };
}

export function createOpenApiDocument(endpoints: readonly Endpoint[]) {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: createOperation(endpoint) };
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
