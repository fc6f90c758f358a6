import { z } from 'zod';
import { type Endpoint, endpoint } from '../../http/endpoint';
import { idParams } from '../../http/fields';
import { httpMethods } from '../../rules/http-method';
import type { ManifestService } from './manifest.service';

const tag = 'Gateway: serviços';
const example = { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Lê um pedido' } as const;

const manifestRoute = z
  .object({ method: z.enum(httpMethods), path: z.string(), permission: z.string(), summary: z.string().optional() })
  .meta({ id: 'ManifestRoute', examples: [example] });

const readRoute = z.object({
  ...manifestRoute.shape,
  suggestedPermission: z.string().optional(),
  otherServer: z.string().optional(),
});

/** The manifest with all that was not taken from it. */
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

export const manifestEndpoints = (manifest: ManifestService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/services/:id/manifest',
    tag,
    summary: 'Busca no serviço as rotas que ele oferece',
    params: idParams,
    status: 200,
    response: z.array(manifestRoute),
    errorStatuses: [404, 502],
    run: async ({ params: { id } }) => (await manifest.of(id)).routes,
  }),
  endpoint({
    method: 'get',
    path: '/gateway/admin/services/:id/manifest/reading',
    tag,
    summary: 'O mesmo, com permissões sugeridas e o que não pode ser rota, com o motivo',
    params: idParams,
    status: 200,
    response: manifestReading,
    errorStatuses: [404, 502],
    run: ({ params: { id } }) => manifest.of(id),
  }),
];
