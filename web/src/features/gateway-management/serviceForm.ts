import type { FieldErrors } from '../../ui/useSubmit';
import { managementMessages } from './gateway-management.messages';
import type { ServiceRowFragment } from './generated/gateway-management';

const { services: messages } = managementMessages;

export interface ServiceValues {
  name: string;
  host: string;
}

export const serviceValues = (service?: ServiceRowFragment): ServiceValues => ({
  name: service?.name ?? '',
  host: service?.host ?? '',
});

/** Name and host are required (product-spec §5); their form is the core's to judge. */
export function checkService({ name, host }: ServiceValues): FieldErrors {
  const errors: FieldErrors = {};
  if (name.trim() === '') errors.name = messages.nameRequired;
  if (host.trim() === '') errors.host = messages.hostRequired;
  return errors;
}

export const serviceInput = ({ name, host }: ServiceValues) => ({ name: name.trim(), host: host.trim() });
