import { z } from 'zod';
import { instant } from '../../../platform/http/input/fields';
import { requestLogMessages as messages } from './requests.messages';

const id = z.uuid(messages.id).optional();

/** `404` selects one status, `4xx` a class, and `refused` every request that the edge refused. */
const status = z
  .string()
  .regex(/^([1-5](\d\d|xx)|refused)$/, messages.status)
  .transform((text) => {
    if (text === 'refused') return text;
    const [from, to] = [text.replaceAll('x', '0'), text.replaceAll('x', '9')].map(Number);
    return { from, to };
  })
  .optional();

export const requestQuery = z.object({
  key: id,
  route: id,
  /** A label or an id, as in `/subdomains/{subdomain}`. */
  subdomain: z.string().trim().min(1).max(63).optional(),
  tenant: id,
  status,
  since: instant(messages.since).optional(),
  limit: z.coerce
    .number(messages.limit)
    .int(messages.limit)
    .min(1, messages.limit)
    .max(500, messages.limit)
    .default(100),
});
export type RequestQuery = z.output<typeof requestQuery>;

export const requestsResponse = z
  .object({
    requests: z.array(
      z.object({
        at: z.iso.datetime(),
        kind: z.string(),
        method: z.string(),
        path: z.string(),
        status: z.int(),
        reason: z.string().nullable(),
        ms: z.int(),
        clientIp: z.string(),
        requestId: z.string(),
        keyId: z.uuid().nullable(),
        /** Null for a request without a key, and for a removed key. */
        keyName: z.string().nullable(),
        routeId: z.uuid().nullable(),
        weight: z.int(),
      }),
    ),
  })
  .meta({ id: 'RequestLog' });
