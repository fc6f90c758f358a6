import { z } from 'zod';
import { allowedIpList, expiry, requiredText, rotationBody, wholeNumber } from '../../../platform/http/input/fields';
import { listQuery, sortBy } from '../../../platform/http/lists/list-pages';
import { isKeyPermission } from '../../../routing/keys/permission';
import { keyMessages as messages } from './keys.messages';

const permissions = z
  .array(z.string(messages.permission).trim().refine(isKeyPermission, messages.permission), messages.permissionRequired)
  .min(1, messages.permissionRequired)
  .max(500, messages.permission)
  .transform((permissionList) => [...new Set(permissionList)]);

const allowedIps = allowedIpList(messages.allowedIps);
const expiresAt = expiry(messages.expiresAt);

/** Null clears the note. */
const note = z
  .string(messages.note)
  .trim()
  .max(500, messages.note)
  .nullable()
  .transform((text) => text ?? '');

const upTo = (max: number) => wholeNumber(1, max, messages.rateLimit);
const rateLimit = z.object({ requests: upTo(1_000_000), seconds: upTo(86_400) }, messages.rateLimit).nullable();

const fields = {
  name: requiredText(100, messages.nameRequired, messages.nameLong),
  permissions,
  allowedIps,
  note,
  expiresAt,
  disabled: z.boolean(messages.disabled),
  rateLimit,
};

export const keyBody = z.object({
  ...fields,
  allowedIps: allowedIps.nullish().transform((ips) => ips ?? []),
  note: note.default(''),
  expiresAt: expiresAt.default(null),
  disabled: fields.disabled.default(false),
  rateLimit: rateLimit.default(null),
});
export type KeyBody = z.output<typeof keyBody>;

export const keyChanges = z.object(fields).partial();
export type KeyChanges = z.output<typeof keyChanges>;

export const keyRotation = rotationBody(messages.graceSeconds);

const responseFields = {
  _id: z.uuid(),
  name: z.string(),
  prefix: z.string().nullable(),
  note: z.string(),
  permissions: z.array(z.string()),
  allowedIps: z.array(z.string()),
  disabled: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  rateLimit: z.object({ requests: z.int(), seconds: z.int() }).nullable(),
  previousExpiresAt: z.iso.datetime().nullable(),
  usageCount: z.int(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  version: z.int(),
};
export const keyResponse = z.object(responseFields).meta({
  id: 'ApiKey',
  examples: [
    {
      _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
      name: 'Aplicativo',
      prefix: 'sk7_Zk3v8Qma',
      note: '',
      permissions: ['pedidos:ler'],
      allowedIps: ['203.0.113.0/24'],
      disabled: false,
      expiresAt: '2027-01-15T12:30:00.000Z',
      rateLimit: { requests: 100, seconds: 60 },
      previousExpiresAt: null,
      usageCount: 1520,
      createdAt: '2026-01-15T12:30:00.000Z',
      lastUsedAt: '2026-01-15T12:30:00.000Z',
      version: 1,
    },
  ],
});

/** Statuses of keys, as the console shows them. Each key has exactly one status. */
const keyStatuses = ['active', 'expiring', 'expired', 'disabled', 'rotating'] as const;
export type KeyStatus = (typeof keyStatuses)[number];

const list = listQuery(keyResponse);
export const keyQuery = list.extend({
  sortBy: sortBy(['name', 'usageCount', 'createdAt', 'lastUsedAt']).default('createdAt'),
  order: list.shape.order.removeDefault().default('desc'),
  status: z.enum(keyStatuses, messages.status).optional(),
  /** Restricts the list to keys that cover this permission. */
  permission: z.string().trim().max(100, messages.permission).optional(),
});
export type KeyQuery = z.output<typeof keyQuery>;

export const keySummaryResponse = z
  .object({
    keys: z.int(),
    usageCount: z.int(),
    mostUsed: z.object({ _id: z.uuid(), name: z.string(), usageCount: z.int() }).nullable(),
  })
  .meta({ id: 'ApiKeySummary' });

/** Response to the creation or rotation of a key. Only these responses contain the secret. */
export const createdKeyResponse = z.object({ ...responseFields, key: z.string() }).meta({ id: 'CreatedApiKey' });
