import { z } from 'zod';
import { instant, optionalText, requiredText, rotationBody, wholeNumber } from '../../platform/http/input/fields';
import { paging } from '../../platform/http/lists/paging';
import { DAY_MS } from '../../platform/time/relative-time';
import { alertKinds, severities, subjectTypes } from './alert-kinds';
import { channelTypes, webhookFormats } from './alert-settings.entity';
import { alertMessages as messages } from './alerts.messages';
import type { WindowTimes } from './silences/window-occurrences';

const MAX_WINDOW_MS = 7 * DAY_MS;

const kind = z.enum(alertKinds, messages.kind);
const severity = z.enum(severities, messages.severity);
/** A subdomain may be named by its label instead of its id. */
const subjectReference = z.object(
  {
    type: z.enum(subjectTypes, messages.subject),
    id: z.string(messages.subject).trim().min(1, messages.subject).max(64),
  },
  messages.subject,
);
export type SubjectReference = z.output<typeof subjectReference>;

const subjectResponse = z.object({ type: z.enum(subjectTypes), id: z.string(), name: z.string() });

export const alertsQuery = paging.extend({
  state: z.enum(['open', 'resolved'], messages.state).optional(),
  kind: kind.optional(),
});
export type AlertsQuery = z.output<typeof alertsQuery>;

export const alertResponse = z
  .object({
    _id: z.uuid(),
    kind: z.enum(alertKinds),
    severity: z.enum(severities),
    subject: subjectResponse,
    /** Name of the machine that observed the condition; null if all machines observe the same. */
    machine: z.string().nullable(),
    reason: z.string(),
    state: z.enum(['open', 'resolved']),
    since: z.iso.datetime(),
    firedAt: z.iso.datetime(),
    resolvedAt: z.iso.datetime().nullable(),
    acknowledgedAt: z.iso.datetime().nullable(),
    acknowledgedBy: z.string().nullable(),
    note: z.string().nullable(),
    /** True if the state changes so often that channels are notified only once. */
    flapping: z.boolean(),
    /** Deliveries of the messages about the alert. A delivery is `waiting` until a message contains its event. */
    deliveries: z.array(
      z.object({
        channel: z.string(),
        event: z.enum(['firing', 'resolved', 'flapping']),
        state: z.enum(['waiting', 'pending', 'sent', 'failed']),
        deliveredAt: z.iso.datetime().nullable(),
        lastError: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Alert' });
export type AlertResponse = z.output<typeof alertResponse>;
export const alertsResponse = z.object({ alerts: z.array(alertResponse), total: z.int() });

export const acknowledgeBody = z.object({ note: optionalText(500, messages.note) });

const ruleFields = {
  enabled: z.boolean(),
  severity,
  thresholds: z.record(
    z.string().max(20),
    z.number(messages.thresholds).min(0, messages.thresholds).max(1_000_000, messages.thresholds),
    messages.thresholds,
  ),
  channels: z.array(z.uuid(messages.channels), messages.channels).nullable(),
};
/** POST /alert-rules; creates the rule of one subject. */
export const ruleBody = z.object({ kind, subject: subjectReference }).extend(z.object(ruleFields).partial().shape);
export type RuleBody = z.output<typeof ruleBody>;
export const ruleChanges = z.object(ruleFields).partial();
export type RuleChanges = z.output<typeof ruleChanges>;
export const ruleResponse = z
  .object({
    _id: z.uuid(),
    kind: z.enum(alertKinds),
    /** Null for the rule of all subjects. */
    subject: z.object({ type: z.enum(subjectTypes), id: z.string() }).nullable(),
    enabled: z.boolean(),
    severity: z.enum(severities),
    thresholds: z.record(z.string(), z.number()),
    /** Null for all enabled channels. */
    channels: z.array(z.uuid()).nullable(),
    version: z.int(),
  })
  .meta({ id: 'AlertRule' });
export type RuleResponse = z.output<typeof ruleResponse>;

const channelFields = {
  name: requiredText(100, messages.channelName, messages.channelNameLong),
  enabled: z.boolean().optional(),
  minSeverity: severity.optional(),
  chatId: z
    .string(messages.chatId)
    .trim()
    .regex(/^(-?\d{1,20}|@\w{1,64})$/, messages.chatId)
    .nullish(),
  to: z.email(messages.to).max(255, messages.to).nullish(),
  url: z
    .url({ protocol: /^https?$/, error: messages.url })
    .max(1024, messages.url)
    .nullish(),
  format: z.enum(webhookFormats, messages.format).nullish(),
};
export const channelBody = z
  .object({ ...channelFields, type: z.enum(channelTypes, messages.channelType) })
  .refine(({ type, url }) => type !== 'webhook' || Boolean(url), { message: messages.urlRequired, path: ['url'] });
export type ChannelBody = z.output<typeof channelBody>;
/** PUT /alert-channels/{id}; the type cannot be changed. */
export const channelChanges = z.object(channelFields).partial();
export type ChannelChanges = z.output<typeof channelChanges>;

export const channelResponse = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    type: z.enum(channelTypes),
    enabled: z.boolean(),
    minSeverity: z.enum(severities),
    chatId: z.string().nullable(),
    to: z.string().nullable(),
    url: z.string().nullable(),
    format: z.enum(webhookFormats).nullable(),
    previousSecretUntil: z.iso.datetime().nullable(),
    failingSince: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    version: z.int(),
  })
  .meta({ id: 'AlertChannel' });
export type ChannelResponse = z.output<typeof channelResponse>;
/** The signing secret of a webhook is shown once. */
export const channelWithSecretResponse = channelResponse
  .extend({ secret: z.string().optional() })
  .meta({ id: 'AlertChannelWithSecret' });
export type ChannelWithSecret = z.output<typeof channelWithSecretResponse>;

export const rotateSecretBody = z.object({
  graceSeconds: rotationBody(messages.graceSeconds).shape.graceSeconds.default(0),
});

export const muteBody = z.object({
  kind: kind.nullish().transform((value) => value ?? null),
  subject: subjectReference,
  until: instant(messages.until),
  reason: requiredText(500, messages.reason, messages.reasonLong),
});
export type MuteBody = z.output<typeof muteBody>;
export const muteResponse = z
  .object({
    _id: z.uuid(),
    kind: z.enum(alertKinds).nullable(),
    subject: z.object({ type: z.enum(subjectTypes), id: z.string() }),
    /** The name in the subject's newest alert; null without an alert. */
    subjectName: z.string().nullable(),
    until: z.iso.datetime(),
    reason: z.string(),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Mute' });
export type MuteResponse = z.output<typeof muteResponse>;

const windowFields = {
  title: requiredText(100, messages.title, messages.titleLong),
  subjects: z.array(subjectReference, messages.subjects).min(1, messages.subjects).max(100, messages.subjects),
  startsAt: instant(messages.startsAt),
  endsAt: instant(messages.endsAt),
  weekdays: z
    .array(wholeNumber(0, 6, messages.weekdays), messages.weekdays)
    .nullish()
    .transform((days) => [...new Set(days ?? [])].sort()),
};
/** The message for an invalid end of a window; undefined for a valid window. */
export function findWindowViolation({ startsAt, endsAt, weekdays }: WindowTimes): string | undefined {
  const durationMs = Date.parse(endsAt) - Date.parse(startsAt);
  if (durationMs <= 0 || durationMs > MAX_WINDOW_MS) return messages.endsAt;
  return weekdays.length > 0 && durationMs > DAY_MS ? messages.weeklyEndsAt : undefined;
}

export const windowBody = z.object(windowFields).superRefine((value, context) => {
  const violation = findWindowViolation(value);
  if (violation) context.addIssue({ code: 'custom', path: ['endsAt'], message: violation });
});
export type WindowBody = z.output<typeof windowBody>;
export const windowChanges = z.object(windowFields).partial();
export type WindowChanges = z.output<typeof windowChanges>;
export const windowResponse = z
  .object({
    _id: z.uuid(),
    title: z.string(),
    subjects: z.array(z.object({ type: z.enum(subjectTypes), id: z.string() })),
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime(),
    weekdays: z.array(z.int()),
    active: z.boolean(),
    createdAt: z.iso.datetime(),
    version: z.int(),
  })
  .meta({ id: 'MaintenanceWindow' });
export type WindowResponse = z.output<typeof windowResponse>;
