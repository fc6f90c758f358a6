/** `npm run seed -- --subdomains 1000 …` adds demo data in Portuguese, for development and benchmarks. */
import { resolve } from 'node:path';
import { entities } from '../app/entities';
import { readCommandLine, runCommand } from '../operations/command-line/command-line';
import { seedMessages as messages } from '../operations/seed/seed.messages';
import { type Counts, seedTables } from '../operations/seed/seed-tables';
import { createCommandContext, createDatabase } from '../platform/database/database';
import { RuleError } from '../platform/errors/rule-error';

const DEFAULTS: Counts = { subdomains: 60, projects: 8, tenants: 40, keys: 12, services: 4, routes: 30, messages: 20 };
const MAX_COUNT = 1_000_000;

function parseCount(option: string, text: string): number {
  const count = Number(text);
  if (!/^\d{1,7}$/.test(text) || count > MAX_COUNT) throw new RuleError('invalid', messages.number(option));
  return count;
}

runCommand(async () => {
  const { config, positionals, options } = readCommandLine(messages.usage, Object.keys(DEFAULTS));
  if (positionals.length > 0) throw new RuleError('invalid', messages.usage);
  const requestedCounts = Object.entries(options).flatMap(([name, text]) =>
    name in DEFAULTS && text !== undefined ? [[name, parseCount(name, text)] as const] : [],
  );
  const database = createDatabase(config, entities, { timeLimits: false });
  await database.open({ migrate: true });
  try {
    const staticRoot = resolve(config.STATIC_ROOTS[0] ?? config.DATA_DIR);
    const context = { nowMs: Date.now(), staticRoot, serverIps: config.SERVER_IP };
    const added = await database.serializedWrite(createCommandContext('npm run seed'), (manager) =>
      seedTables({ manager, ...context }, { ...DEFAULTS, ...Object.fromEntries(requestedCounts) }),
    );
    return [messages.added(added)];
  } finally {
    await database.close();
  }
});
