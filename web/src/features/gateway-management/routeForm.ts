import type { HttpMethod } from '../../generated/graph';
import type { FieldErrors } from '../../ui/useSubmit';
import { managementMessages } from './gateway-management.messages';
import type { RouteRowFragment } from './generated/gateway-management';

const { routes: messages } = managementMessages;

export const httpMethods: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];

export interface RouteValues {
  serviceId: string;
  origin: string;
  destination: string;
  methods: HttpMethod[];
  permission: string;
}

export const routeValues = (route?: RouteRowFragment): RouteValues => ({
  serviceId: route?.service._id ?? '',
  origin: route?.origin ?? '',
  destination: route?.destination ?? '',
  methods: route?.methods ?? ['GET'],
  permission: route?.permission ?? '',
});

/** What is missing; whether patterns and permission are well-formed is the core's to judge. */
export function checkRoute({ serviceId, origin, destination, methods, permission }: RouteValues): FieldErrors {
  const errors: FieldErrors = {};
  if (serviceId === '') errors.serviceId = messages.serviceRequired;
  if (origin.trim() === '') errors.origin = messages.originRequired;
  if (destination.trim() === '') errors.destination = messages.destinationRequired;
  if (methods.length === 0) errors.methods = messages.methodsRequired;
  if (permission.trim() === '') errors.permission = messages.permissionRequired;
  return errors;
}

export const routeInput = ({ serviceId, origin, destination, methods, permission }: RouteValues) => ({
  serviceId,
  origin: origin.trim(),
  destination: destination.trim(),
  methods: httpMethods.filter((method) => methods.includes(method)),
  permission: permission.trim(),
});
