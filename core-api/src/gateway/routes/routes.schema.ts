import { z } from 'zod';
import { alsoInForm, always } from '../../http/fields';
import { httpMethods } from '../../rules/http-method';
import { isRoutePermission } from '../../rules/permission';
import { canFill, formatPattern, parsePattern } from '../../rules/route-pattern';
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
/** Empty is for public routes alone, which `needsPermission` sees to. */
const permissionOrNone = permission.or(z.literal(''));
const method = z.enum(httpMethods, messages.methods);
const serviceId = z
  .string(messages.serviceRequired)
  .trim()
  .min(1, messages.serviceRequired)
  .max(64, messages.unknownService);

const fields = {
  serviceId,
  /** A trailing slash does not matter to what it matches, so none is kept. */
  origin: pattern(messages.origin).transform((text) => text.replace(/(.)\/$/, '$1')),
  destination: pattern(messages.destination),
  methods: z
    .array(method, messages.methods)
    .min(1, messages.methods)
    .max(50, messages.methods)
    .transform((given) => httpMethods.filter((one) => given.includes(one))),
  permission: permissionOrNone,
  public: z.boolean(messages.public),
};

/** A route asks for a permission unless it is public (contract §3). */
export const needsPermission = (route: { public: boolean; permission: string }): boolean =>
  !route.public && route.permission === '';

const permissionForm = z
  .object({ public: z.unknown(), permission: z.unknown() })
  .refine(({ public: open, permission: given = '' }) => open === true || given !== '', {
    path: ['permission'],
    message: messages.permission,
  });

/** Every parameter of the destination comes from the origin; nothing to say while one of them is no pattern. */
const patternsForm = z.object({ origin: z.unknown(), destination: z.unknown() }).superRefine((route, context) => {
  const [origin, destination] = [parsePattern(String(route.origin)), parsePattern(String(route.destination))];
  if (origin && destination && !canFill(destination, origin))
    context.addIssue({ code: 'custom', path: ['destination'], message: messages.unfilled });
});

/** POST /gateway/admin/routes */
export const routeBody = z
  .object({ ...fields, permission: permissionOrNone.default(''), public: fields.public.default(false) })
  .superRefine(alsoInForm(patternsForm), always)
  .superRefine(alsoInForm(permissionForm), always);
export type RouteBody = z.output<typeof routeBody>;

export const routeChanges = z.object(fields).partial();
export type RouteChanges = z.output<typeof routeChanges>;

const MAX_IMPORTED = 5_000;

/** POST /gateway/admin/routes/import: all or none. */
export const importBody = z
  .object({
    serviceId,
    routes: z
      .array(z.object({ method, path: pattern(messages.destination), permission }), messages.routes)
      .max(MAX_IMPORTED, messages.routes),
    remove: z.array(z.string(messages.remove).max(64, messages.remove), messages.remove).default([]),
  })
  .refine(({ routes, remove }) => routes.length + remove.length > 0, { path: ['routes'], message: messages.routes });
export type ImportBody = z.output<typeof importBody>;

export const routeResponse = z
  .object({
    _id: z.uuid(),
    origin: z.string(),
    destination: z.string(),
    methods: z.array(z.enum(httpMethods)),
    permission: z.string(),
    public: z.boolean(),
    service: z.object({ _id: z.uuid(), name: z.string() }),
    createdAt: z.iso.datetime(),
    version: z.int(),
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
        public: false,
        service: { _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607', name: 'vendas' },
        createdAt: '2026-01-15T12:30:00.000Z',
        version: 1,
      },
    ],
  });
