import { z } from 'zod';
import { type Scope, scopes } from '../../platform/http/access/access';
import { allowedIpList, expiry, idList, requiredText, rotationBody } from '../../platform/http/input/fields';
import { tokenMessages as messages } from './tokens.messages';

const MAX_LIST_ENTRIES = 500;

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);
const scopeList = z
  .array(
    z.string(messages.scopes).refine((text) => isScope(text), messages.scopes),
    messages.scopes,
  )
  .min(1, messages.scopes)
  .max(MAX_LIST_ENTRIES, messages.scopes)
  .transform((list) => [...new Set(list)].filter(isScope));

const site = z.object(
  {
    type: z.enum(['subdomain', 'project', 'tenant'], messages.site),
    /** Label of a subdomain. */
    label: z.string(messages.site).trim().toLowerCase().min(1, messages.site).max(63, messages.site).optional(),
    id: z.uuid(messages.site).optional(),
  },
  messages.site,
);
export type SiteBody = z.output<typeof site>;

/** Ids of projects; null for all projects of the account. */
const projectList = idList(messages.unknownProject, messages.projects);

const fields = {
  name: requiredText(100, messages.nameRequired, messages.nameLong),
  scopes: scopeList,
  site: site.nullable(),
  projects: projectList,
  allowedIps: allowedIpList(messages.allowedIps),
  expiresAt: expiry(messages.expiresAt),
  disabled: z.boolean(),
};

export const tokenBody = z.object({
  name: fields.name,
  scopes: fields.scopes,
  site: fields.site.default(null),
  projects: fields.projects.default(null),
  allowedIps: fields.allowedIps.nullish().transform((list) => list ?? []),
  expiresAt: fields.expiresAt,
  /** Id of another account, for administrators; by default the caller's own account. */
  account: z.uuid(messages.account).nullish(),
});
export type TokenBody = z.output<typeof tokenBody>;

/** PUT /tokens/{id}; absent fields keep their value. */
export const tokenChanges = z.object(fields).partial();
export type TokenChanges = z.output<typeof tokenChanges>;

export const tokenRotation = rotationBody(messages.graceSeconds);

export const tokenQuery = z.object({ account: z.uuid(messages.account).optional() });

const responseFields = {
  _id: z.uuid(),
  account: z.object({ _id: z.uuid(), username: z.string(), kind: z.enum(['person', 'service']) }),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  projects: z.array(z.uuid()).nullable(),
  /** The site of a token with the scope `deploy`. */
  site: z
    .object({ type: z.enum(['subdomain', 'project', 'tenant']), id: z.uuid(), label: z.string().optional() })
    .nullable(),
  allowedIps: z.array(z.string()),
  expiresAt: z.iso.datetime().nullable(),
  disabled: z.boolean(),
  previousExpiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedFrom: z.string().nullable(),
  createdAt: z.iso.datetime(),
  version: z.int(),
};
export const tokenResponse = z.object(responseFields).meta({
  id: 'ApiToken',
  examples: [
    {
      _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f609',
      account: { _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607', username: 'admin', kind: 'person' },
      name: 'Publicação',
      prefix: 'stp_Zk3v8Qma',
      scopes: ['tenants:read'],
      projects: null,
      site: null,
      allowedIps: ['203.0.113.0/24'],
      expiresAt: '2026-04-15T12:30:00.000Z',
      disabled: false,
      previousExpiresAt: null,
      lastUsedAt: null,
      lastUsedFrom: null,
      createdAt: '2026-01-15T12:30:00.000Z',
      version: 1,
    },
  ],
});
export type TokenResponse = z.input<typeof tokenResponse>;

/** Response to the creation or rotation of a token. No other response has the secret. */
export const createdTokenResponse = z.object({ ...responseFields, token: z.string() }).meta({ id: 'CreatedApiToken' });
export type CreatedToken = z.input<typeof createdTokenResponse>;
