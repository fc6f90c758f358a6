import { z } from 'zod';
import { RuleError } from '../errors';
import { httpMessages } from '../http/http.messages';
import { parseTargetHost } from '../rules/address';
import { resolvedTargetFault } from '../rules/own-address';
import { parseStaticPath } from '../rules/static-root';
import type { TargetRules, TargetType } from '../rules/target';
import { subdomainMessages as messages } from './subdomains.messages';

/** The columns of a target; those of other types are null. */
export interface TargetFields {
  type: TargetType;
  port: number | null;
  staticPath: string | null;
  apiPort: number | null;
  targetHost: string | null;
  targetPort: number | null;
}

const port = z.int(messages.port).min(1, messages.port).max(65_535, messages.port);

const targetHost = z.string(messages.targetHost).transform((text, context) => {
  const host = parseTargetHost(text);
  if (host && host !== 'forbidden') return host;
  context.addIssue({ code: 'custom', message: host ? messages.forbiddenHost : messages.targetHost });
  return z.NEVER;
});

/** What each type needs (contract §3), in form; whether this installation allows it, `checkTarget` judges. */
export const targetForm = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('proxy'), port }),
    z.object({
      type: z.literal('static'),
      staticPath: z.string(messages.staticPath).min(1, messages.staticPath),
      apiPort: port.nullish().transform((value) => value ?? null),
    }),
    z.object({ type: z.literal('tunnel'), targetHost, targetPort: port }),
  ],
  messages.type,
);
type Target = z.output<typeof targetForm>;

const none = { port: null, staticPath: null, apiPort: null, targetHost: null, targetPort: null };

const invalidTarget = (fields: Record<string, string>) => new RuleError('invalid', httpMessages.invalid, { fields });

/** The fields of the type alone; those of other types are dropped. @throws RuleError invalid */
export function readTarget(fields: { type: TargetType } & Partial<TargetFields>): Target {
  const result = targetForm.safeParse(fields);
  if (result.success) return result.data;
  throw invalidTarget(Object.fromEntries(result.error.issues.map(({ path, message }) => [String(path[0]), message])));
}

/** What this installation's own configuration says of a target. @throws RuleError invalid */
export function checkTarget(target: Target, { ownPorts, staticRules }: TargetRules): TargetFields {
  const fields: Record<string, string> = {};
  const localPort = target.type === 'proxy' ? 'port' : 'apiPort';
  const local = target.type === 'proxy' ? target.port : target.type === 'static' ? target.apiPort : null;
  if (local !== null && ownPorts.includes(local)) fields[localPort] = messages.ownPort;
  const staticPath = target.type === 'static' ? parseStaticPath(target.staticPath, staticRules) : null;
  if (staticPath === undefined) fields.staticPath = messages.staticPath;
  if (Object.keys(fields).length > 0) throw invalidTarget(fields);
  return { ...none, ...target, staticPath: staticPath ?? null };
}

/** What a tunnel's host name stands for; asked outside of a transaction, since names resolve slowly. @throws RuleError invalid */
export async function checkResolved(
  { targetHost: host, targetPort }: Pick<TargetFields, 'targetHost' | 'targetPort'>,
  { ownPorts }: TargetRules,
): Promise<void> {
  if (host === null || targetPort === null) return;
  const fault = await resolvedTargetFault(host, targetPort, ownPorts);
  if (!fault) return;
  throw invalidTarget(fault === 'own' ? { targetPort: messages.ownPort } : { targetHost: messages.forbiddenHost });
}
