import { array, boolean, check, forward, type InferOutput, minLength, object, picklist, pipe, string } from 'valibot';
import type { HttpMethod } from '../../generated/graph';
import { normalizePermission } from '../../lib/gateway/permissions';
import { requiredText } from '../../ui/form/schema/schemas';
import { routesMessages as messages } from './gateway-routes.messages';
import type { RouteRowFragment } from './generated/gateway-routes';

export const httpMethods: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];

/** The fields of a route. The core validates patterns and permission. */
export const routeSchema = pipe(
  object({
    serviceId: requiredText(messages.serviceRequired),
    origin: requiredText(messages.originRequired),
    destination: requiredText(messages.destinationRequired),
    methods: pipe(array(picklist(httpMethods)), minLength(1, messages.methodsRequired)),
    permission: string(),
    public: boolean(),
  }),
  // A public route needs no key, and so no permission.
  forward(
    check((route) => route.public || route.permission.trim() !== '', messages.permissionRequired),
    ['permission'],
  ),
);

export type RouteValues = InferOutput<typeof routeSchema>;

export const toRouteValues = (route?: RouteRowFragment, serviceId = ''): RouteValues => ({
  serviceId: route?.service._id ?? serviceId,
  origin: route?.origin ?? '',
  destination: route?.destination ?? '',
  methods: route?.methods ?? ['GET'],
  permission: route?.permission ?? '',
  public: route?.public ?? false,
});

/** The path of a route in typed text: a pasted URL loses host and query, and a path gets its leading slash. */
export function toRoutePath(typed: string): string {
  const text = typed.trim();
  const pathOfUrl = /^https?:\/\/[^/?#]*\/?([^?#]*)/i.exec(text)?.[1];
  if (pathOfUrl !== undefined) return `/${pathOfUrl}`;
  return text === '' || text.startsWith('/') ? text : `/${text}`;
}

export const toRouteInput = ({ serviceId, origin, destination, methods, permission, ...values }: RouteValues) => ({
  serviceId,
  origin: toRoutePath(origin),
  destination: toRoutePath(destination),
  methods: httpMethods.filter((method) => methods.includes(method)),
  permission: normalizePermission(permission.trim()),
  public: values.public,
});
