import { z } from 'zod';
import { parseUrl } from '../../../platform/net/parse-url';
import { httpMethods } from '../../../routing/http-method';
import { manifestMessages as messages } from './manifest.messages';

const example = { method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Lê um pedido' } as const;

export const manifestRoute = z
  .object({
    method: z.enum(httpMethods),
    path: z.string(),
    /** Empty if the document names no permission. */
    permission: z.string(),
    summary: z.string().optional(),
  })
  .meta({ id: 'ManifestRoute', examples: [example] });

const routeForImport = z.object({
  ...manifestRoute.shape,
  /** Derived from method and path, for a route whose `permission` is empty. */
  suggestedPermission: z.string().optional(),
  /** Host of the operation's server if it differs from the document's. The route still leads to the service's host. */
  otherServer: z.string().optional(),
});
export type RouteForImport = z.output<typeof routeForImport>;

/** Routes of a manifest, and the operations that were skipped. */
export const manifestReading = z
  .object({
    routes: z.array(routeForImport),
    /** Operations that cannot become a route. `method` is absent if it could not be read. */
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
export type Manifest = z.output<typeof manifestReading>;

const HTTP = /^https?:\/\/[^/?#]/;

/** A document from an administrator, as text or by its URL. */
export const sourceBody = z
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
export type ManifestSource = z.output<typeof sourceBody>;
