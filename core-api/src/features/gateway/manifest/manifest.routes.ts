import { z } from 'zod';
import { endpoint, tagged } from '../../../platform/http/endpoint';
import { parseUrl } from '../../../platform/net/parse-url';
import { httpMethods } from '../../../platform/validation/http-method';
import { manifestMessages as messages } from './manifest.messages';
import type { ManifestService } from './manifest.service';

const example = { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Lê um pedido' } as const;

const manifestRoute = z
  .object({ method: z.enum(httpMethods), path: z.string(), permission: z.string(), summary: z.string().optional() })
  .meta({ id: 'ManifestRoute', examples: [example] });

const readRoute = z.object({
  ...manifestRoute.shape,
  suggestedPermission: z.string().optional(),
  otherServer: z.string().optional(),
});

/** Routes of a manifest, and the operations that were skipped. */
const manifestReading = z
  .object({
    routes: z.array(readRoute),
    skipped: z.array(z.object({ method: z.string().optional(), path: z.string(), reason: z.string() })),
  })
  .meta({
    id: 'ManifestReading',
    examples: [
      {
        routes: [{ ...example, permission: '', suggestedPermission: 'pedidos:ler' }],
        skipped: [
          { method: 'GET', path: '/arquivos/{nome}.pdf', reason: 'O trecho {nome}.pdf mistura texto e parâmetro.' },
        ],
      },
    ],
  });

const HTTP = /^https?:\/\/[^/?#]/;

const sourceBody = z
  .object({
    document: z.string().min(1, messages.source).optional(),
    address: z
      .string()
      .trim()
      .max(1024, messages.address)
      .refine((text) => HTTP.test(text) && parseUrl(text) !== undefined, messages.address)
      .optional(),
  })
  .refine(({ document, address }) => (document === undefined) !== (address === undefined), {
    message: messages.source,
    path: ['document'],
  });

export const manifestEndpoints = (manifest: ManifestService) =>
  tagged('Gateway: serviços', [
    endpoint('GET /gateway/admin/services/:id/manifest', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'Busca no serviço as rotas que ele oferece',
      response: z.array(manifestRoute),
      errorStatuses: [502],
      run: async ({ params: { id } }) => (await manifest.fetch(id)).routes,
    }),
    endpoint('GET /gateway/admin/services/:id/manifest/reading', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'O mesmo, com permissões sugeridas e o que não pode ser rota, com o motivo',
      response: manifestReading,
      errorStatuses: [502],
      run: ({ params: { id } }) => manifest.readForImport(id),
    }),
    endpoint('POST /gateway/admin/services/:id/manifest/reading', {
      access: { role: 'operator', scope: 'gateway:write' },
      summary: 'O mesmo, de um documento que o serviço não publica, ou de outro endereço',
      body: sourceBody,
      largeBody: true,
      example: { address: 'https://api.exemplo.com/openapi.json' },
      response: manifestReading,
      errorStatuses: [502],
      run: ({ params: { id }, body }) => manifest.readForImport(id, body),
    }),
  ]);
