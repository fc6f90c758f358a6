import { z } from 'zod';
import { addFormIssues, evenIfFieldsFailed, parseWith, trimmedText } from '../../../platform/http/input/fields';
import { listQuery, sortBy } from '../../../platform/http/lists/list-pages';
import { httpMethods } from '../../../routing/http-method';
import { isRoutePermission } from '../../../routing/keys/permission';
import { canFill, formatPattern, parsePattern } from '../../../routing/routes/route-pattern';
import { routeMessages as messages } from './routes.messages';

const pattern = (message: string) =>
  z.string(message).trim().max(1024, message).transform(parseWith(parsePattern, message)).transform(formatPattern);

const permission = z.string(messages.permission).trim().refine(isRoutePermission, messages.permission);
/** Only public routes may have an empty permission (`lacksPermission`). */
const permissionOrNone = permission.or(z.literal(''));
const method = z.enum(httpMethods, messages.methods);
const serviceId = trimmedText(64, messages.serviceRequired, messages.unknownService);

const fields = {
  serviceId,
  /** A trailing slash does not change the matched paths, so it is removed. */
  origin: pattern(messages.origin).transform((text) => text.replace(/(.)\/$/, '$1')),
  destination: pattern(messages.destination),
  methods: z
    .array(method, messages.methods)
    .min(1, messages.methods)
    .max(50, messages.methods)
    .transform((methods) => httpMethods.filter((candidate) => methods.includes(candidate))),
  permission: permissionOrNone,
  public: z.boolean(messages.public),
};

/** Whether a route lacks a permission although it is not public (contract §3). */
export const lacksPermission = (route: { public: boolean; permission: string }): boolean =>
  !route.public && route.permission === '';

const permissionForm = z
  .object({ public: z.unknown(), permission: z.unknown() })
  .refine(({ public: isPublic, permission: text = '' }) => isPublic === true || text !== '', {
    path: ['permission'],
    message: messages.permission,
  });

/** Checks that the origin has every parameter of the destination. An invalid pattern fails in its own field. */
const patternsForm = z.object({ origin: z.unknown(), destination: z.unknown() }).superRefine((route, context) => {
  const [origin, destination] = [parsePattern(String(route.origin)), parsePattern(String(route.destination))];
  if (origin && destination && !canFill(destination, origin))
    context.addIssue({ code: 'custom', path: ['destination'], message: messages.unfilled });
});

export const routeBody = z
  .object({ ...fields, permission: permissionOrNone.default(''), public: fields.public.default(false) })
  .superRefine(addFormIssues(patternsForm), evenIfFieldsFailed)
  .superRefine(addFormIssues(permissionForm), evenIfFieldsFailed);
export type RouteBody = z.output<typeof routeBody>;

export const routeChanges = z.object(fields).partial();
export type RouteChanges = z.output<typeof routeChanges>;

const MAX_IMPORTED = 5_000;

/** POST /gateway/admin/routes/import; imports all routes or none. */
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

export const routeQuery = listQuery(routeResponse).extend({
  service: z.uuid(messages.unknownService).optional(),
  sortBy: sortBy(['origin', 'destination', 'service', 'permission']).default('origin'),
});
export type RouteQuery = z.output<typeof routeQuery>;
