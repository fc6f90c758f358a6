import type { HttpMethod } from '../../generated/graph';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { routesMessages as messages } from './gateway-routes.messages';
import type { RouteRowFragment } from './generated/gateway-routes';

export const httpMethods: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];

export interface RouteValues {
  serviceId: string;
  origin: string;
  destination: string;
  methods: HttpMethod[];
  permission: string;
  /** Needs no key; the permission may be empty then. */
  public: boolean;
}

export const routeValues = (route?: RouteRowFragment): RouteValues => ({
  serviceId: route?.service._id ?? '',
  origin: route?.origin ?? '',
  destination: route?.destination ?? '',
  methods: route?.methods ?? ['GET'],
  permission: route?.permission ?? '',
  public: route?.public ?? false,
});

/** Errors of required fields; the core validates patterns and permission. */
export function checkRoute(values: RouteValues): FieldErrors {
  const { serviceId, origin, destination, methods, permission } = values;
  const errors: FieldErrors = {};
  if (serviceId === '') errors.serviceId = messages.serviceRequired;
  if (origin.trim() === '') errors.origin = messages.originRequired;
  if (destination.trim() === '') errors.destination = messages.destinationRequired;
  if (methods.length === 0) errors.methods = messages.methodsRequired;
  if (permission.trim() === '' && !values.public) errors.permission = messages.permissionRequired;
  return errors;
}

export const routeInput = ({ serviceId, origin, destination, methods, permission, ...values }: RouteValues) => ({
  serviceId,
  origin: origin.trim(),
  destination: destination.trim(),
  methods: httpMethods.filter((method) => methods.includes(method)),
  permission: permission.trim(),
  public: values.public,
});
