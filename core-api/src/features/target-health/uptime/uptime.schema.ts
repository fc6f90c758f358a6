import { z } from 'zod';
import { integerParameterOr } from '../../../platform/http/lists/paging';
import { targetHealthMessages as messages } from '../target-health.messages';

/** Maximum number of days in a response about uptime. */
export const MAX_DAYS = 90;

/** One subdomain, by its label, or one tenant, by its id. */
export const uptimeQuery = z
  .object({
    subdomain: z.string(messages.uptimeSubject).optional(),
    tenant: z.uuid(messages.uptimeSubject).optional(),
    days: integerParameterOr(MAX_DAYS, MAX_DAYS),
  })
  .refine(({ subdomain, tenant }) => (subdomain === undefined) !== (tenant === undefined), {
    message: messages.uptimeSubject,
    path: ['subdomain'],
  });
/** Labels of up to 100 subdomains or ids of up to 100 tenants, separated by commas. */
const names = z
  .string(messages.uptimeSubject)
  .transform((text) => text.split(',').filter((name) => name !== ''))
  .refine((list) => list.length <= 100, messages.uptimeMany)
  .optional();
export const uptimesQuery = z
  .object({ subdomains: names, tenants: names })
  .refine(({ subdomains, tenants }) => (subdomains === undefined) !== (tenants === undefined), {
    message: messages.uptimeSubject,
    path: ['subdomains'],
  });
export type UptimesQuery = z.output<typeof uptimesQuery>;

export type UptimeQuery = z.output<typeof uptimeQuery>;

const availability = {
  /** Uptime in percent of the known time, rounded down to two decimals; null while nothing is known. */
  percent: z.number().nullable(),
  downSeconds: z.int(),
  unknownSeconds: z.int(),
};
/** Seconds of an outage in maintenance windows are left out of `downSeconds` and counted as unknown. */
export const uptimeResponse = z
  .object({
    ...availability,
    /** Days in `TIME_ZONE`. */
    days: z.array(z.object({ day: z.iso.date(), ...availability })),
    incidents: z.array(
      z.object({ startedAt: z.iso.datetime(), endedAt: z.iso.datetime().nullable(), reason: z.string().nullable() }),
    ),
  })
  .meta({ id: 'Uptime' });
export type Uptime = z.output<typeof uptimeResponse>;

/** The uptimes of the hosts that exist. */
export const uptimesResponse = z
  .object({
    /** The first day, in `TIME_ZONE`. */
    since: z.iso.date(),
    uptimes: z.array(
      z.object({
        /** Label of a subdomain, or id of a tenant. */
        id: z.string(),
        percent: z.number().nullable(),
        downSeconds: z.int(),
        /** Availability of each of the 90 days in percent, oldest first; null for a day without known time. */
        days: z.array(z.number().nullable()),
        incidents: z.int(),
        lastIncident: z.object({ startedAt: z.iso.datetime(), endedAt: z.iso.datetime().nullable() }).nullable(),
      }),
    ),
  })
  .meta({ id: 'Uptimes' });
export type Uptimes = z.output<typeof uptimesResponse>;
