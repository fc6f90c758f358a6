import { array, check, forward, type InferOutput, number, object, pipe, string } from 'valibot';
import type { MaintenanceWindowInput } from '../../../generated/graph';
import { splitEntries } from '../../../lib/format/splitEntries';
import { requiredText } from '../../../ui/form/schema/schemas';
import { alertsMessages } from '../alerts.messages';

const { dialog: messages } = alertsMessages.maintenance;

const splitNames = (text: string): string[] => splitEntries(text, ',');

export const windowSchema = pipe(
  object({
    title: requiredText(),
    subdomains: string(),
    tenants: array(string()),
    startsAt: requiredText(),
    endsAt: requiredText(),
    weekdays: array(number()),
  }),
  forward(
    check(({ subdomains, tenants }) => splitNames(subdomains).length + tenants.length > 0, messages.noSubject),
    ['subdomains'],
  ),
  forward(
    check(({ startsAt, endsAt }) => !startsAt || !endsAt || startsAt < endsAt, messages.endBeforeStart),
    ['endsAt'],
  ),
);
export type WindowValues = InferOutput<typeof windowSchema>;

export const emptyWindow: WindowValues = {
  title: '',
  subdomains: '',
  tenants: [],
  startsAt: '',
  endsAt: '',
  weekdays: [],
};

/** Converts form values to the input of a mutation. Times in the administrator's time zone become instants. */
export const toWindowInput = (values: WindowValues): MaintenanceWindowInput => ({
  title: values.title.trim(),
  subjects: [
    ...splitNames(values.subdomains).map((id) => ({ type: 'subdomain' as const, id })),
    ...values.tenants.map((id) => ({ type: 'tenant' as const, id })),
  ],
  startsAt: new Date(values.startsAt).toISOString(),
  endsAt: new Date(values.endsAt).toISOString(),
  weekdays: values.weekdays.toSorted(),
});
