/** `npm run admin -- create NAME | passwd NAME | list | remove NAME` (contract §1). */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { accountMessages } from './accounts/accounts.messages';
import { newPassword } from './accounts/accounts.schema';
import { AccountsService } from './accounts/accounts.service';
import { createLoginThrottle } from './accounts/login-throttle';
import { createTokens } from './accounts/tokens';
import { adminMessages as messages } from './admin.messages';
import { readConfig } from './config';
import { createDatabase } from './database/source';
import { RuleError } from './http/errors';
import { readSecrets } from './secrets';
import { failStart } from './start-failure';

/** Asked on the terminal without showing it, or the first line of standard input. */
async function askPassword(): Promise<string> {
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = process.stdin.isTTY;
  if (terminal) process.stdout.write(messages.password);
  const lines = createInterface({ input: process.stdin, output: muted, terminal });
  for await (const line of lines) {
    lines.close();
    if (terminal) process.stdout.write('\n');
    return line;
  }
  return '';
}

async function readPassword(): Promise<string> {
  const checked = newPassword.safeParse(await askPassword());
  if (!checked.success)
    throw new RuleError('invalid', checked.error.issues[0]?.message ?? accountMessages.newPasswordShort);
  return checked.data;
}

type Command = (accounts: AccountsService, name: string) => Promise<string>;

const commands: Record<string, Command | undefined> = {
  async create(accounts, name) {
    await accounts.create(name, await readPassword());
    return messages.created(name);
  },
  async passwd(accounts, name) {
    await accounts.setPassword(name, await readPassword());
    return messages.changed(name);
  },
  list: async (accounts) => (await accounts.usernames()).join('\n'),
  async remove(accounts, name) {
    await accounts.remove(name);
    return messages.removed(name);
  },
};

async function main(): Promise<void> {
  const [verb = '', name = ''] = process.argv.slice(2);
  const command = commands[verb];
  if (!command || (verb !== 'list' && name.trim() === '')) throw new RuleError('invalid', messages.usage);
  const config = readConfig(process.env);
  const database = createDatabase(config);
  await database.open({ migrate: true });
  try {
    const accounts = new AccountsService(
      database,
      createTokens(readSecrets(config).jwt, config.JWT_TTL),
      createLoginThrottle(),
    );
    process.stdout.write(`${await command(accounts, name)}\n`);
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => failStart(error, 'DATABASE_URL'));
