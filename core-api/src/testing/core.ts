import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';

export const ADMINISTRATOR = { username: 'admin', password: 'uma senha de teste' };

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

/** Asks every 20 ms until `probe` gives something; fails after `seconds`. */
export async function until<Value>(what: string, probe: () => Promise<Value | undefined | null | false>, seconds = 15) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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
  token = '';
  port = 0;
  private child: ChildProcess | undefined;
  private complaints = '';
  private databaseUrl: string | undefined;

  constructor(private readonly environment: Record<string, string> = {}) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** All that the process wrote, log included. */
  get output(): string {
    return this.complaints;
  }

  /** Starts, or starts again on what is stored. */
  async start(): Promise<this> {
    const free = await listen(() => undefined);
    await free.stop();
    this.port = free.port;
    const child = spawn(process.execPath, ['--require', 'esbuild-register', join(__dirname, '../main.ts')], {
      cwd: join(__dirname, '../..'),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        CORE_PORT: String(this.port),
        ADMIN_USERNAME: ADMINISTRATOR.username,
        ADMIN_PASSWORD: ADMINISTRATOR.password,
        STATIC_ROOTS: this.folder,
        ...(await this.createDatabase()),
        ...this.environment,
      },
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.complaints += chunk;
      });
    }
    await until('the core is ready', async () => {
      if (child.exitCode !== null) throw new Error(`the core did not start: ${this.complaints}`);
      return fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    if (!this.token) this.token = (await this.ask('POST', '/login', { body: ADMINISTRATOR, token: null })).body.token;
    return this;
  }

  /** A fresh database on the suite's PostgreSQL, kept over restarts; none where SQLite is tested. */
  private async createDatabase(): Promise<Core['database']> {
    this.databaseUrl ??= await createPostgresDatabase(
      `core_${this.folder.replace(/\W/g, '').slice(-12).toLowerCase()}`,
    );
    return this.database;
  }

  /** Variables that lead another program to this core's database. */
  get database(): { DATA_DIR: string; DATABASE_URL?: string } {
    return { DATA_DIR: this.folder, ...(this.databaseUrl && { DATABASE_URL: this.databaseUrl }) };
  }

  /** Another program keeps everybody from writing usage until the returned function is called. */
  async lockUsage(): Promise<() => Promise<void>> {
    const foreign = await new DataSource(
      this.databaseUrl
        ? { type: 'postgres', url: this.databaseUrl }
        : { type: 'sqlite', database: join(this.folder, 'studio.sqlite') },
    ).initialize();
    const runner = foreign.createQueryRunner();
    await runner.query(this.databaseUrl ? 'BEGIN' : 'BEGIN EXCLUSIVE');
    if (this.databaseUrl) await runner.query('LOCK TABLE api_keys, usage_minutes, usage_batches IN SHARE MODE');
    return async () => {
      await runner.query('COMMIT');
      await runner.release();
      await foreign.destroy();
    };
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
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
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
}
