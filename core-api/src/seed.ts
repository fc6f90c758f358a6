/** `npm run seed -- --subdomains 1000 …`: demo data in Portuguese, for development and benchmarks. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from './config';
import { commandContext, createDatabase } from './database/source';
import { RuleError } from './errors';
import { entities } from './schema';
import { seedMessages as messages } from './seed/seed.messages';
import { type Counts, seedTables } from './seed/seed-tables';
import { failStart } from './start-failure';

const DEFAULTS: Counts = { subdomains: 60, projects: 8, tenants: 40, keys: 12, services: 4, routes: 30, messages: 20 };
const MAX_COUNT = 1_000_000;

function countOf(option: string, text: string | undefined, fallback: number): number {
  const count = text === undefined ? fallback : Number(text);
  if (text !== undefined && (!/^\d{1,7}$/.test(text) || count > MAX_COUNT))
    throw new RuleError('invalid', messages.number(option));
  return count;
}

function readCounts(args: string[]): Counts {
  const option = { type: 'string' } as const;
  const options = {
    subdomains: option,
    projects: option,
    tenants: option,
    keys: option,
    services: option,
    routes: option,
    messages: option,
  };
  const { values } = parse(() => parseArgs({ args, options }));
  return {
    subdomains: countOf('subdomains', values.subdomains, DEFAULTS.subdomains),
    projects: countOf('projects', values.projects, DEFAULTS.projects),
    tenants: countOf('tenants', values.tenants, DEFAULTS.tenants),
    keys: countOf('keys', values.keys, DEFAULTS.keys),
    services: countOf('services', values.services, DEFAULTS.services),
    routes: countOf('routes', values.routes, DEFAULTS.routes),
    messages: countOf('messages', values.messages, DEFAULTS.messages),
  };
}

function parse<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new RuleError('invalid', messages.usage, { cause: error });
  }
}

async function main(): Promise<void> {
  process.umask(0o077);
  const counts = readCounts(process.argv.slice(2));
  const config = readConfig(process.env);
  const database = createDatabase(config, entities, { timeLimits: false });
  await database.open({ migrate: true });
  try {
    const staticRoot = resolve(config.STATIC_ROOTS[0] ?? config.DATA_DIR);
    const added = await database.change(commandContext('npm run seed'), (manager) =>
      seedTables({ manager, nowMs: Date.now(), staticRoot }, counts),
    );
    process.stdout.write(`${messages.added(added)}\n`);
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => failStart(error, 'DATABASE_URL'));
