/** `npm run admin -- create NAME | passwd NAME | list | remove NAME | replace-secret NAME` (contract §1). */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { accountMessages } from './accounts/accounts.messages';
import { newPassword } from './accounts/accounts.schema';
import { AccountsService } from './accounts/accounts.service';
import { FirstPassword } from './accounts/first-password';
import { adminMessages as messages } from './admin.messages';
import { requireDatabase, requireStopped } from './backup/installation';
import { readCommandLine, runCommand } from './commands/command-line';
import type { Config } from './config';
import { commandContext, createDatabase, type Database } from './database/source';
import { RuleError } from './errors';
import { entities } from './schema';
import { replaceSecret } from './secrets/replace-secret';
import { secretNames } from './secrets/secrets';
import { secretMessages } from './secrets/secrets.messages';
import { failStart } from './start-failure';

/** Asked on the terminal without showing it, or the first line of standard input. */
async function ask(question: string): Promise<string> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = process.stdin.isTTY;
  if (terminal) process.stdout.write(question);
  const lines = createInterface({ input: process.stdin, output: muted, terminal });
  for await (const line of lines) {
    lines.close();
    if (terminal) process.stdout.write('\n');
    return line;
  }
  return '';
}

async function readPassword(): Promise<string> {
  const checked = newPassword.safeParse(await ask(messages.password));
  if (!checked.success)
    throw new RuleError('invalid', checked.error.issues[0]?.message ?? accountMessages.newPasswordShort);
  return checked.data;
}

const context = commandContext('npm run admin');

type Command = (accounts: AccountsService, name: string) => Promise<string>;

const commands: Record<string, Command | undefined> = {
  async create(accounts, name) {
    await accounts.create(context, name, await readPassword());
    return messages.created(name);
  },
  // For who has lost everything: only somebody at the machine can.
  async passwd(accounts, name) {
    await accounts.setPassword(context, name, await readPassword(), { secondFactor: 'removed' });
    return messages.changed(name);
  },
  list: async (accounts) => (await accounts.usernames()).join('\n'),
  async remove(accounts, name) {
    await accounts.remove(context, name);
    return messages.removed(name);
  },
};

/** A secret that a variable gives is asked for, or generated and shown: it must be set on the other machines by hand. */
async function replace(config: Config, database: Database, name: string, lost: boolean): Promise<string[]> {
  const known = secretNames.find((secret) => secret === name);
  if (!known) throw new RuleError('invalid', secretMessages.usage);
  const given = config[known] === undefined ? undefined : (await ask(secretMessages.askNew(known))).trim() || undefined;
  const { text, path, reencrypted, dropped } = await replaceSecret(context, config, database, known, {
    text: given,
    lost,
  });
  return [
    secretMessages.replaced(known),
    ...(path ? [secretMessages.kept(path)] : []),
    ...(path || given ? [] : [secretMessages.setVariable(known, text)]),
    ...(known === 'JWT_SECRET' ? [secretMessages.signedOut] : [secretMessages.reencrypted(reencrypted)]),
    ...(dropped > 0 ? [secretMessages.dropped(dropped)] : []),
  ];
}

runCommand(
  async () => {
    const { config, positionals, flags } = readCommandLine(messages.usage, ['--lost']);
    const [verb = '', name = ''] = positionals;
    const command = commands[verb];
    if (verb !== 'replace-secret' && (!command || (verb !== 'list' && name.trim() === '')))
      throw new RuleError('invalid', messages.usage);
    requireDatabase(config);
    // Before this process opens it itself.
    if (verb === 'replace-secret') await requireStopped(config);
    const database = createDatabase(config, entities);
    await database.open({ migrate: true });
    try {
      if (!command) return await replace(config, database, name, flags.has('--lost'));
      const accounts = new AccountsService(database, new FirstPassword(config.DATA_DIR), () => undefined);
      return [await command(accounts, name)];
    } finally {
      await database.close();
    }
  },
  (error) => failStart(error, 'DATABASE_URL'),
);
