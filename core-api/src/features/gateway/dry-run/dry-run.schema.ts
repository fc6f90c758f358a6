import { z } from 'zod';
import { optionalText } from '../../../platform/http/input/fields';
import { parseAddress } from '../../../platform/net/address';
import { httpMethods } from '../../../routing/http-method';
import { dryRunMessages as messages } from './dry-run.messages';

/**
 * The tested request sends no key if `key` is absent. If `address` is absent, the request comes from the caller's own
 * address.
 */
export const dryRunBody = z.object({
  method: z.enum(httpMethods, messages.method),
  /** Path as in a request line, with its query. */
  path: z
    .string(messages.path)
    .trim()
    .max(8_192, messages.path)
    .regex(/^\/[!"$-~]*$/, messages.path),
  key: optionalText(512, messages.key),
  address: z
    .string(messages.address)
    .trim()
    .nullish()
    .transform((text) => text || undefined)
    .refine((text) => text === undefined || parseAddress(text) !== null, messages.address),
  call: z.boolean(messages.call).nullish(),
});
export type DryRunBody = z.output<typeof dryRunBody>;

/** All steps in order. A response ends with the first failed step. */
const stepNames = ['path', 'route', 'method', 'key', 'address', 'permission', 'target', 'limit', 'call'] as const;

const step = z.object({
  step: z.enum(stepNames),
  /** False for the step that refuses the request, and for a call without a response. */
  ok: z.boolean(),
  /** The state `unknown` means that only the edge could decide, for example about the current rate. */
  state: z.enum(['passed', 'failed', 'unknown']),
  /** Message for the user. */
  detail: z.string(),
});
export type DryRunStep = z.output<typeof step>;

export const dryRunResponse = z
  .object({
    status: z.int(),
    allowed: z.boolean(),
    error: z.string().optional(),
    steps: z.array(step),
    target: z.string().nullable(),
  })
  .meta({
    id: 'DryRun',
    examples: [
      {
        status: 401,
        allowed: false,
        error: 'Esta chave de API expirou.',
        steps: [
          { step: 'path', ok: true, state: 'passed', detail: messages.pathRead },
          { step: 'route', ok: true, state: 'passed', detail: messages.routeFound },
          {
            step: 'method',
            ok: true,
            state: 'passed',
            detail: messages.methodFits('GET', '/vendas/pedidos/:id', 'vendas'),
          },
          { step: 'key', ok: false, state: 'failed', detail: messages.refused.expired },
        ],
        target: null,
      },
    ],
  });
export type DryRun = z.output<typeof dryRunResponse>;
