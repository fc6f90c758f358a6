import { z } from 'zod';
import { RuleError } from '../../platform/errors/rule-error';
import { httpMessages } from '../../platform/http/http.messages';
import { wholeNumber } from '../../platform/http/input/fields';
import { parseTargetHost } from '../../platform/net/address';
import { findHostRefusal } from '../../platform/net/guarded-lookup';
import { parseStaticPath } from '../../platform/net/static-root';
import type { TargetRules, TargetType } from '../../platform/net/target';
import type { Subdomain } from './subdomain.entity';
import { subdomainMessages as messages } from './subdomains.messages';

/** Columns of a target. The columns that its type does not use are null. */
export type TargetFields = Pick<Subdomain, 'type' | 'port' | 'staticPath' | 'apiPort' | 'targetHost' | 'targetPort'>;

const port = wholeNumber(1, 65_535, messages.port);

const targetHost = z.string(messages.targetHost).transform((text, context) => {
  const host = parseTargetHost(text);
  if (host && host !== 'forbidden') return host;
  context.addIssue({ code: 'custom', message: host ? messages.forbiddenHost : messages.targetHost });
  return z.NEVER;
});

const staticTarget = z
  .object({
    type: z.literal('static'),
    source: z.string().optional(),
    staticPath: z.string(messages.staticPath).nullish(),
    apiPort: port.nullish().transform((value) => value ?? null),
  })
  .superRefine(({ source, staticPath }, context) => {
    // A site that serves versions needs no folder.
    if (source !== 'versions' && !staticPath)
      context.addIssue({ code: 'custom', path: ['staticPath'], message: messages.staticPath });
  })
  .transform(({ source: _source, ...target }) => ({ ...target, staticPath: target.staticPath || null }));

/** Required fields by type (contract §3). `checkTarget` checks whether this installation allows them. */
export const targetForm = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('proxy'), port }),
    staticTarget,
    z.object({ type: z.literal('tunnel'), targetHost, targetPort: port }),
  ],
  messages.type,
);
type Target = z.output<typeof targetForm>;

const noTarget = { port: null, staticPath: null, apiPort: null, targetHost: null, targetPort: null };

const createInvalidTargetError = (fields: Record<string, string>) =>
  new RuleError('invalid', httpMessages.invalid, { fields });

/** Parses the fields of the target's type, and leaves out fields of other types. @throws RuleError invalid */
export function parseTarget(fields: { type: TargetType; source?: string } & Partial<TargetFields>): Target {
  const result = targetForm.safeParse(fields);
  if (result.success) return result.data;
  throw createInvalidTargetError(
    Object.fromEntries(result.error.issues.map(({ path, message }) => [String(path[0]), message])),
  );
}

/** Checks a target against this installation's configuration. @throws RuleError invalid */
export function checkTarget(target: Target, { ownPorts, staticRules }: TargetRules): TargetFields {
  const fields: Record<string, string> = {};
  if (target.type === 'proxy' && ownPorts.includes(target.port)) fields.port = messages.ownPort;
  if (target.type === 'static' && target.apiPort !== null && ownPorts.includes(target.apiPort))
    fields.apiPort = messages.ownPort;
  const folder = target.type === 'static' ? target.staticPath : null;
  const staticPath = folder === null ? null : parseStaticPath(folder, staticRules);
  if (staticPath === undefined) fields.staticPath = messages.staticPath;
  if (Object.keys(fields).length > 0) throw createInvalidTargetError(fields);
  return { ...noTarget, ...target, staticPath: staticPath ?? null };
}

/**
 * Checks the addresses of a tunnel's host name. Call it outside of a transaction, because resolving names is slow.
 * @throws RuleError invalid
 */
export async function checkResolvedHost(
  { targetHost: host, targetPort }: Pick<TargetFields, 'targetHost' | 'targetPort'>,
  { ownPorts }: TargetRules,
): Promise<void> {
  if (host === null || targetPort === null) return;
  const refusal = await findHostRefusal(host, targetPort, ownPorts);
  if (!refusal) return;
  throw createInvalidTargetError(
    refusal === 'own' ? { targetPort: messages.ownPort } : { targetHost: messages.forbiddenHost },
  );
}
