import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { freePort, Program } from '../../../scripts/testing/program';
import { ADMINISTRATOR, commandOf } from '../../../scripts/testing/stack';

/** Listens on a free loopback port. */
export async function listen(handler: RequestListener) {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Address of a new database on the suite's PostgreSQL; nothing where SQLite is tested. */
export async function createPostgresDatabase(name: string): Promise<string | undefined> {
  const server = process.env.TEST_ON_POSTGRES && process.env.TEST_POSTGRES_URL;
  if (!server) return undefined;
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return `${server}/${name}`;
}

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a body
  body: any;
}

interface Ask {
  body?: unknown;
  /** Null asks without a token. */
  token?: string | null;
  headers?: Record<string, string>;
}

/** The real core as a process of its own, with an administrator who is logged in. */
export class Core {
  readonly folder = mkdtempSync(join(tmpdir(), 'core-'));
  /** Where static sites may lie. */
  readonly sites = join(this.folder, 'sites');
  token = '';
  port = 0;
  private programs: Program[] = [];
  private databaseUrl: string | undefined;

  constructor(private readonly environment: Record<string, string> = {}) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** All that the process wrote, log included. */
  get output(): string {
    return this.programs.map(({ output }) => output).join('');
  }

  /** Starts, or starts again on what is stored. */
  async start(): Promise<this> {
    await this.createDatabase();
    this.port = await freePort();
    const { args, cwd } = commandOf('core-api', 'main', 'source');
    const environment = {
      CORE_PORT: String(this.port),
      ADMIN_USERNAME: ADMINISTRATOR.username,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
      STATIC_ROOTS: this.sites,
      // No requests that a test does not expect.
      HEALTH_INTERVAL_S: '0',
      DNS_SERVERS: '127.0.0.1:9',
      TLS_CHECK_ADDRESS: '127.0.0.1:9',
      ...this.database,
      ...this.environment,
    };
    const program = new Program('core', args, { cwd, environment });
    this.programs.push(program);
    await program.answers(`${this.url}/readyz`);
    if (!this.token) this.token = (await this.ask('POST', '/login', { body: ADMINISTRATOR, token: null })).body.token;
    return this;
  }

  /** A fresh database on the suite's PostgreSQL, kept over restarts; none where SQLite is tested. */
  async createDatabase(): Promise<void> {
    this.databaseUrl ??= await createPostgresDatabase(`core_${randomUUID().replaceAll('-', '')}`);
  }

  /** Variables that lead another program to this core's database. */
  get database(): { DATA_DIR: string; DATABASE_URL?: string } {
    return { DATA_DIR: this.folder, ...(this.databaseUrl && { DATABASE_URL: this.databaseUrl }) };
  }

  /** Another program's connection to the database. */
  async foreign(): Promise<DataSource> {
    const foreign = await new DataSource(
      this.databaseUrl
        ? { type: 'postgres', url: this.databaseUrl }
        : { type: 'sqlite', database: join(this.folder, 'studio.sqlite') },
    ).initialize();
    // Its turn may come late: the product writes in between.
    if (!this.databaseUrl) await foreign.query('PRAGMA busy_timeout = 60000');
    return foreign;
  }

  /** What another program does to the database: a question, or what only time would do. */
  async query(sql: string): Promise<Record<string, unknown>[]> {
    const foreign = await this.foreign();
    const rows = await foreign.query(sql);
    await foreign.destroy();
    return rows;
  }

  /** Another program keeps everybody from writing usage until the returned function is called. */
  async lockUsage(): Promise<() => Promise<void>> {
    const foreign = await this.foreign();
    const runner = foreign.createQueryRunner();
    await runner.query(this.databaseUrl ? 'BEGIN' : 'BEGIN EXCLUSIVE');
    if (this.databaseUrl) await runner.query('LOCK TABLE api_keys, usage_minutes, usage_batches IN SHARE MODE');
    return async () => {
      await runner.query('COMMIT');
      await runner.release();
      await foreign.destroy();
    };
  }

  /** @returns the exit code, null when the signal ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    return (await this.programs.at(-1)?.end(signal)) ?? null;
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.folder, { recursive: true });
  }

  /** One call below `/api`. */
  async ask(method: string, path: string, { body, token = this.token, headers }: Ask = {}): Promise<Reply> {
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isText = response.headers.get('content-type')?.startsWith('text/');
    const parsed = text === '' ? undefined : isText ? text : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed };
  }
}
