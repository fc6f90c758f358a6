/** `npm run admin -- create NAME | passwd NAME | list | remove NAME | token ACCOUNT | replace-secret NAME [--lost]` */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { z } from 'zod';
import { accountHooks, createTokensService } from '../app/access';
import { entities } from '../app/entities';
import { newPassword, newUsername } from '../features/accounts/accounts.schema';
import { AccountsService } from '../features/accounts/accounts.service';
import { FirstPassword } from '../features/accounts/passwords/first-password';
import { tokenBody } from '../features/tokens/tokens.schema';
import type { TokensService } from '../features/tokens/tokens.service';
import { requireDatabase, requireStopped } from '../operations/backup/installation';
import { readCommandLine, runCommand } from '../operations/command-line/command-line';
import type { Config } from '../platform/config/config';
import { createCommandContext, createDatabase, type Database } from '../platform/database/database';
import { RuleError } from '../platform/errors/rule-error';
import { replaceSecret } from '../platform/secrets/replace-secret';
import { secretNames } from '../platform/secrets/secrets';
import { secretMessages } from '../platform/secrets/secrets.messages';
import { DAY_MS, toIsoFromNow } from '../platform/time/relative-time';
import { adminMessages as messages } from './admin.messages';

/** Reads one line from the terminal without echo, or from standard input. */
async function readAnswer(question: string): Promise<string> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stdout.write(question);
  const lines = createInterface({ input: process.stdin, output: muted, terminal: isTerminal });
  for await (const line of lines) {
    lines.close();
    if (isTerminal) process.stdout.write('\n');
    return line;
  }
  return '';
}

/** Parses a value and reports only the first message of the schema. @throws RuleError invalid */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new RuleError('invalid', parsed.error.issues[0]?.message ?? messages.usage);
  return parsed.data;
}

const context = createCommandContext('npm run admin');

interface Services {
  config: Config;
  database: Database;
  accounts: AccountsService;
  tokens: TokensService;
  options: Readonly<Record<string, string | undefined>>;
  isLost: boolean;
}

const TOKEN_OPTIONS = ['scopes', 'days', 'name', 'projects', 'ips', 'site'];

/** Reads the body of `POST /tokens` from the options. `days` is a number or an instant. @throws RuleError invalid */
function readTokenBody({ scopes, days, name, projects, ips, site }: Services['options']) {
  const splitList = (text: string | undefined) => text?.split(',').map((entry) => entry.trim());
  const [type, id] = site?.split(':') ?? [];
  const toExpiry = (text: string) => (/^[1-9]\d{0,6}$/.test(text) ? toIsoFromNow(Number(text) * DAY_MS) : text);
  return parse(tokenBody, {
    name: name ?? 'npm run admin',
    scopes: splitList(scopes),
    projects: splitList(projects) ?? null,
    allowedIps: splitList(ips) ?? [],
    site: site === undefined ? null : { type, [type === 'subdomain' ? 'label' : 'id']: id },
    expiresAt: days === undefined ? null : toExpiry(days),
  });
}

const commands: Record<string, ((services: Services, name: string) => Promise<string>) | undefined> = {
  async create({ accounts }, name) {
    await accounts.create(context, parse(newUsername, name), parse(newPassword, await readAnswer(messages.password)));
    return messages.created(name);
  },
  // Also removes the second factor, because an administrator may have lost the device.
  async passwd({ accounts }, name) {
    await accounts.setPassword(context, name, parse(newPassword, await readAnswer(messages.password)), {
      secondFactor: 'removed',
    });
    return messages.changed(name);
  },
  list: async ({ accounts }) => (await accounts.listUsernames()).join('\n'),
  async remove({ accounts }, name) {
    await accounts.remove(context, name);
    return messages.removed(name);
  },
  // Creates the first token of a pipeline, which cannot enter a password.
  async token({ accounts, tokens, options }, name) {
    const { token } = await tokens.createFor(context, await accounts.getIdByUsername(name), readTokenBody(options));
    return token;
  },
  'replace-secret': replaceByName,
};

/**
 * Replaces a secret. If an environment variable sets the secret, the new value is asked for. Without an answer the
 * value is generated and shown, because an operator must set the variable on each machine.
 */
async function replaceByName({ config, database, isLost }: Services, name: string): Promise<string> {
  const secret = secretNames.find((secretName) => secretName === name);
  if (!secret) throw new RuleError('invalid', secretMessages.usage);
  const newValue =
    config[secret] === undefined ? undefined : (await readAnswer(secretMessages.askNew(secret))).trim() || undefined;
  const replacement = { name: secret, text: newValue, isLost };
  const { text, path, reencryptedCount, droppedCount } = await replaceSecret(context, config, database, replacement);
  return [
    secretMessages.replaced(secret),
    ...(path ? [secretMessages.kept(path)] : []),
    ...(path || newValue ? [] : [secretMessages.setVariable(secret, text)]),
    ...(secret === 'JWT_SECRET' ? [secretMessages.signedOut] : [secretMessages.reencrypted(reencryptedCount)]),
    ...(droppedCount > 0 ? [secretMessages.dropped(droppedCount)] : []),
  ].join('\n');
}

runCommand(async () => {
  const { config, positionals, flags, options } = readCommandLine(messages.usage, TOKEN_OPTIONS, ['--lost']);
  const [verb = '', name = ''] = positionals;
  const command = commands[verb];
  const needsName = verb !== 'list' && verb !== 'replace-secret';
  if (!command || (needsName && name.trim() === '')) throw new RuleError('invalid', messages.usage);
  requireDatabase(config);
  // A running product would keep the old secret. The check comes before `open`, whose connection it would refuse.
  if (verb === 'replace-secret') await requireStopped(config);
  const database = createDatabase(config, entities);
  await database.open({ migrate: true });
  try {
    const firstPassword = new FirstPassword(config.DATA_DIR);
    const accounts = new AccountsService(database, firstPassword, accountHooks, () => undefined);
    const tokens = createTokensService(database, accounts, () => undefined, config);
    return [await command({ config, database, accounts, tokens, options, isLost: flags.has('--lost') }, name)];
  } finally {
    await database.close();
  }
});
