import { z } from 'zod';
import { isRoutePermission } from '../../rules/permission';
import { formatPattern, parsePattern } from '../../rules/route-pattern';
import { httpMethods } from './route.entity';
import { routeMessages as messages } from './routes.messages';

const pattern = (sentence: string) =>
  z
    .string(sentence)
    .trim()
    .max(1024, sentence)
    .transform((text, context) => {
      const parsed = parsePattern(text);
      if (parsed) return formatPattern(parsed);
      context.addIssue({ code: 'custom', message: sentence });
      return z.NEVER;
    });

const permission = z.string(messages.permission).trim().refine(isRoutePermission, messages.permission);
const method = z.enum(httpMethods, messages.methods);
const serviceId = z
  .string(messages.serviceRequired)
  .trim()
  .min(1, messages.serviceRequired)
  .max(64, messages.unknownService);

/** POST /gateway/admin/routes */
export const routeBody = z.object({
  serviceId,
  /** A trailing slash does not matter to what it matches, so none is kept. */
  origin: pattern(messages.origin).transform((text) => text.replace(/(.)\/$/, '$1')),
  destination: pattern(messages.destination),
  methods: z
    .array(method, messages.methods)
    .min(1, messages.methods)
    .max(50, messages.methods)
    .transform((given) => httpMethods.filter((one) => given.includes(one))),
  permission,
});
export type RouteBody = z.output<typeof routeBody>;

export const routeChanges = routeBody.partial();
export type RouteChanges = z.output<typeof routeChanges>;

/** POST /gateway/admin/routes/import: all or none. */
export const importBody = z.object({
  serviceId,
  routes: z
    .array(z.object({ method, path: pattern(messages.destination), permission }), messages.routes)
    .min(1, messages.routes)
    .max(1000, messages.routes),
});
export type ImportBody = z.output<typeof importBody>;

export const routeAnswer = z
  .object({
    _id: z.uuid(),
    origin: z.string(),
    destination: z.string(),
    methods: z.array(z.enum(httpMethods)),
    permission: z.string(),
    service: z.object({ _id: z.uuid(), name: z.string() }),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'GatewayRoute',
    examples: [
      {
        _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        origin: '/vendas/pedidos/:id',
        destination: '/pedidos/:id',
        methods: ['GET'],
        permission: 'pedidos:ler',
        service: { _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607', name: 'vendas' },
        createdAt: '2026-01-15T12:30:00.000Z',
      },
    ],
  });
