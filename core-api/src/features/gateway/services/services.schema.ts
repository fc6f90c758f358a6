import { z } from 'zod';
import { parseWith, requiredText, wholeNumber } from '../../../platform/http/input/fields';
import { parsePageOrigin } from '../../../platform/net/page-origin';
import { parseServiceHost } from '../../../platform/net/service-host';
import { canonicalizePath } from '../../../routing/routes/path-normalization';
import { serviceMessages as messages } from './services.messages';

const MAX_LIST_LENGTH = 50;

const host = requiredText(255, messages.hostRequired, messages.host).transform((text, context) => {
  const result = parseServiceHost(text);
  if ('baseUrl' in result) return result;
  context.addIssue({ code: 'custom', message: result.error === 'forbidden' ? messages.forbiddenHost : messages.host });
  return z.NEVER;
});

const pageOrigin = z.string(messages.corsOrigin).transform(parseWith(parsePageOrigin, messages.corsOrigin));
const headerName = z
  .string(messages.corsHeader)
  .trim()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, messages.corsHeader);
/** Removes repeated names. Names of header fields are compared without case. */
const uniqueNames = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === index);

/** `*`, or a list with `*` as its only item, because a GraphQL input cannot accept both a text and a list. */
const anyOrigin = z.union([z.literal('*'), z.tuple([z.literal('*')])]).transform(() => '*' as const);

const cors = z
  .object(
    {
      origins: z.union(
        [anyOrigin, z.array(pageOrigin).min(1, messages.corsOrigin).max(MAX_LIST_LENGTH, messages.corsOrigin)],
        messages.corsOrigin,
      ),
      headers: z.array(headerName, messages.corsHeader).max(MAX_LIST_LENGTH, messages.corsHeader).default([]),
      credentials: z.boolean(messages.cors).default(false),
      maxAgeSeconds: wholeNumber(0, 86_400, messages.corsMaxAge).default(600),
    },
    messages.cors,
  )
  .refine(({ origins, credentials }) => !(origins === '*' && credentials), messages.corsAnyWithCredentials)
  .transform(({ origins, headers, ...otherFields }) => ({
    ...otherFields,
    origins: origins === '*' ? origins : [...new Set(origins)],
    headers: uniqueNames(headers),
  }))
  .nullable();

/** Request path with an optional query. */
const healthPath = z
  .string(messages.healthPath)
  .trim()
  .max(1024, messages.healthPath)
  .transform((text) => text || null)
  .refine((text) => text === null || isHealthPath(text), messages.healthPath)
  .nullable();

const isHealthPath = (text: string): boolean => {
  const [path = '', ...query] = text.split('?');
  return canonicalizePath(path) !== null && /^[!-"$-~]*$/.test(query.join('?'));
};

const fields = {
  name: requiredText(100, messages.nameRequired, messages.name).regex(/^[a-z0-9_-]+$/, messages.name),
  host,
  extraHosts: z.array(host, messages.extraHosts).max(MAX_LIST_LENGTH, messages.extraHosts),
  healthPath,
  timeoutSeconds: wholeNumber(1, 600, messages.timeoutSeconds),
  maxBodyMb: wholeNumber(1, 1024, messages.maxBodyMb),
  cors,
};

export const serviceBody = z.object({
  ...fields,
  extraHosts: fields.extraHosts.default([]),
  healthPath: healthPath.default(null),
  timeoutSeconds: fields.timeoutSeconds.default(60),
  maxBodyMb: fields.maxBodyMb.default(100),
  cors: cors.default(null),
});
export type ServiceBody = z.output<typeof serviceBody>;

/** `renameRoutes` moves the origins of routes below the old name to the new name. */
export const serviceChanges = z.object({ ...fields, renameRoutes: z.boolean(messages.renameRoutes) }).partial();
export type ServiceChanges = z.output<typeof serviceChanges>;

const corsResponse = z.object({
  origins: z.union([z.literal('*'), z.array(z.string())]),
  headers: z.array(z.string()),
  credentials: z.boolean(),
  maxAgeSeconds: z.int(),
});

export const serviceResponse = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    host: z.string(),
    extraHosts: z.array(z.string()),
    healthPath: z.string().nullable(),
    timeoutSeconds: z.int(),
    maxBodyMb: z.int(),
    cors: corsResponse.nullable(),
    createdAt: z.iso.datetime(),
    version: z.int(),
  })
  .meta({
    id: 'GatewayService',
    examples: [
      {
        _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        name: 'vendas',
        host: 'http://localhost:4000',
        extraHosts: ['http://localhost:4001'],
        healthPath: '/healthz',
        timeoutSeconds: 60,
        maxBodyMb: 100,
        cors: { origins: ['https://app.exemplo.com'], headers: ['X-Pedido'], credentials: false, maxAgeSeconds: 600 },
        createdAt: '2026-01-15T12:30:00.000Z',
        version: 1,
      },
    ],
  });

export const dependentsResponse = z.object({ routes: z.int(), keys: z.int() }).meta({ id: 'ServiceDependents' });
