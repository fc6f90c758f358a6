import { z } from 'zod';
import { objectsWithFieldMessages, wholeNumber } from '../../platform/http/input/fields';
import { parseAddress, parseAddressBlock } from '../../platform/net/address';
import { parseUrl } from '../../platform/net/parse-url';
import { compilePathRule } from '../../routing/sites/path-rule';
import { isAllowedHeader, isHttpUrl, isOwnPath } from '../../routing/sites/site-rules';
import { policyMessages as messages } from './host-policies.messages';

const MAX_LOGO_BYTES = 64 * 1024;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const addresses = z
  .array(
    z.string(messages.ips).transform((text, context) => {
      const block = parseAddressBlock(text.trim());
      if (block !== undefined) return block;
      // Without `continue`, the union of `inheritable` would replace this message with its own.
      context.addIssue({ code: 'custom', message: messages.ips, continue: true });
      return z.NEVER;
    }),
    messages.ips,
  )
  .max(500, messages.manyIps);

const orFalse = <Schema extends z.ZodType>(schema: Schema) => z.union([z.literal(false), schema]);
const inheritable = <Schema extends z.ZodType>(schema: Schema) => orFalse(schema).nullish();

const requirements = ['all', 'any'] as const;
const access = z.object({
  ips: addresses.default([]),
  /** `true` keeps the password; null or an absent field removes it. */
  password: z
    .union([z.literal(true), z.string().min(4, messages.password).max(200, messages.password)], messages.password)
    .nullish(),
  require: z.enum(requirements, messages.require).default('all'),
});

const isRedirectTarget = (to: string): boolean => /^[\x21-\x7e]{1,2000}$/.test(to) && (isOwnPath(to) || isHttpUrl(to));

const redirect = z.object({
  from: z
    .string(messages.redirects)
    .max(1024, messages.redirects)
    .refine((path) => compilePathRule(path), messages.redirects),
  to: z.string(messages.redirects).refine(isRedirectTarget, messages.redirects),
  status: z.union(
    [301, 302, 303, 307, 308].map((status) => z.literal(status)),
    messages.redirects,
  ),
});

/** Header fields that a site may set: security policies of browsers, and fields that begin with `x-`. */
const ALLOWED_HEADERS =
  /^(?:content-security-policy(?:-report-only)?|referrer-policy|permissions-policy|cross-origin-(?:opener|embedder|resource)-policy|strict-transport-security|x-[a-z0-9-]+)$/i;

const header = z
  .object({ name: z.string(messages.headers), value: z.string(messages.headers) })
  .refine(({ name, value }) => ALLOWED_HEADERS.test(name) && isAllowedHeader(name, value), messages.headers);

const isSmallPng = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length <= MAX_LOGO_BYTES && bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
};

const branding = z.object({
  name: z.string(messages.brandName).trim().max(100, messages.brandName).nullable().default(null),
  logoPng: z
    .string(messages.logo)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, messages.logo)
    .refine(isSmallPng, messages.logo)
    .nullable()
    .default(null),
  accent: z
    .string(messages.accent)
    .regex(/^#[0-9a-f]{6}$/i, messages.accent)
    .nullable()
    .default(null),
});

const maintenance = z.object({
  text: z.string(messages.maintenanceText).trim().min(1, messages.maintenanceText).max(1000, messages.maintenanceText),
  until: z.iso.datetime({ error: messages.until, offset: true }).nullable().default(null),
  bypassIps: addresses.default([]),
});

const rate = z.object({
  requests: wholeNumber(1, 1_000_000, messages.rate),
  seconds: wholeNumber(1, 86_400, messages.rate),
});

/** PUT /{owner}/policy; each field of the body replaces its old value completely. */
export const policyBody = z.object({
  access: inheritable(access).register(objectsWithFieldMessages),
  redirects: inheritable(z.array(redirect, messages.redirects).max(200, messages.manyRedirects)),
  headers: inheritable(z.array(header, messages.headers).max(50, messages.manyHeaders)),
  noindex: z.boolean(messages.noindex).nullish(),
  rate: inheritable(rate).register(objectsWithFieldMessages),
  maxBodyMb: inheritable(wholeNumber(1, 1024, messages.maxBodyMb)),
  timeoutSeconds: inheritable(wholeNumber(1, 600, messages.timeoutSeconds)),
  maintenance: inheritable(maintenance).register(objectsWithFieldMessages),
  branding: inheritable(branding).register(objectsWithFieldMessages),
});
export type PolicyBody = z.output<typeof policyBody>;

export const policyResponse = z
  .object({
    access: orFalse(
      z.object({ ips: z.array(z.string()), password: z.boolean(), require: z.enum(requirements) }),
    ).nullable(),
    redirects: orFalse(z.array(z.object({ from: z.string(), to: z.string(), status: z.int() }))).nullable(),
    headers: orFalse(z.array(z.object({ name: z.string(), value: z.string() }))).nullable(),
    noindex: z.boolean().nullable(),
    rate: orFalse(z.object({ requests: z.int(), seconds: z.int() })).nullable(),
    maxBodyMb: orFalse(z.int()).nullable(),
    timeoutSeconds: orFalse(z.int()).nullable(),
    maintenance: orFalse(
      z.object({ text: z.string(), until: z.string().nullable(), bypassIps: z.array(z.string()) }),
    ).nullable(),
    branding: orFalse(
      z.object({ name: z.string().nullable(), logoPng: z.string().nullable(), accent: z.string().nullable() }),
    ).nullable(),
    version: z.int(),
  })
  .meta({ id: 'HostPolicy' });
export type PolicyResponse = z.output<typeof policyResponse>;

export const hostTestBody = z.object({
  url: z
    .string(messages.url)
    .max(4096, messages.url)
    .refine((text) => /^https?:\/\//i.test(text) && parseUrl(text) !== undefined, messages.url),
  method: z
    .string(messages.method)
    .regex(/^[A-Z]{1,20}$/, messages.method)
    .default('GET'),
  /** IP address of the tested client; by default the caller's own. */
  address: z
    .string()
    .refine((text) => parseAddress(text), messages.ips)
    .optional(),
  password: z.string().max(200).optional(),
  accept: z.string().max(1000).optional(),
  /** Unsaved rules. As in a PUT, each field replaces the site's own rule. */
  policy: policyBody.optional(),
});
export type HostTestBody = z.output<typeof hostTestBody>;

export const hostTestResponse = z
  .object({
    /** Null if the target would respond, because the test does not call targets. */
    status: z.int().nullable(),
    allowed: z.boolean(),
    /** The version that serves the request. */
    version: z.uuid().nullable(),
    steps: z.array(
      z.object({
        step: z.string(),
        state: z.enum(['passed', 'refused', 'off']),
        detail: z.string(),
        /** Owner of the rule: the site itself, or the project of the tenant. */
        from: z.enum(['own', 'project']).nullable(),
      }),
    ),
    location: z.string().nullable(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    /** Path of the file in the version or folder. */
    file: z.string().nullable(),
  })
  .meta({ id: 'HostTest' });
export type HostTest = z.output<typeof hostTestResponse>;
