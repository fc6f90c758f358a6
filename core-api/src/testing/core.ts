import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { findFreePort, Program } from '../../../scripts/testing/program';
import { ADMINISTRATOR, buildCommand } from '../../../scripts/testing/stack';

export { listen } from '../../../scripts/testing/server';

/** Name of the database that `createPostgresDatabase` copies. Only the migrations run in it. */
export const MIGRATED_DATABASE = 'migrated';

/** Installation id in the file that `migrate-sqlite.ts` creates. Each copy of the file gets an id of its own. */
export const COPIED_INSTALLATION_ID = '00000000-0000-8000-8000-000000000000';

interface TestDatabaseOptions {
  /**
   * If true, a migrated database is copied, which is faster than the migrations. By default the database is empty.
   */
  isMigrated?: boolean;
}

/** Creates a database on the suite's PostgreSQL and returns its URL. In the run on SQLite, nothing is created. */
export async function createPostgresDatabase(
  name: string,
  { isMigrated = false }: TestDatabaseOptions = {},
): Promise<string | undefined> {
  const server = process.env.TEST_ON_POSTGRES && process.env.TEST_POSTGRES_URL;
  if (!server) return undefined;
  const { Client } = await import('pg');
  const execute = async (database: string, sql: string) => {
    const client = new Client({ connectionString: `${server}/${database}` });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await execute('postgres', `CREATE DATABASE ${name} TEMPLATE ${isMigrated ? MIGRATED_DATABASE : 'template1'}`);
  // The copy needs its own installation id, because no two installations may have the same id.
  if (isMigrated) await execute(name, 'UPDATE installation SET "installationId" = gen_random_uuid()::text');
  return `${server}/${name}`;
}

/** Copies the migrated file of the suite to a new data folder. Without that file, the core runs the migrations itself. */
function copySqliteFile(folder: string): void {
  const migratedFile = process.env.TEST_MIGRATED_SQLITE;
  if (!migratedFile) return;
  const bytes = readFileSync(migratedFile);
  // All ids have the same length, so the id can be replaced without a connection to the copy.
  bytes.write(randomUUID(), bytes.indexOf(COPIED_INSTALLATION_ID));
  writeFileSync(join(folder, 'studio.sqlite'), bytes, { mode: 0o600, flag: 'wx' });
}

export interface RestResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body that it expects
  body: any;
}

/** Returns the status of a response and the names of the refused fields. */
export const getStatusAndFields = ({ status, body }: RestResponse): [number, string[]] => [
  status,
  Object.keys(body?.fields ?? {}),
];

interface RequestOptions {
  body?: unknown;
  /** Null sends the request without a token. */
  token?: string | null;
  headers?: Record<string, string>;
  /**
   * By default, a request that is refused with `sudoRequired` is repeated after `POST /me/sudo`. If false, the refusal
   * is returned.
   */
  sudo?: boolean;
}

const hasPassword = (body: unknown): body is { password: string } =>
  typeof body === 'object' && body !== null && 'password' in body && typeof body.password === 'string';

/** Runs the real core as a separate process, with a logged-in administrator. */
export class Core {
  readonly folder = mkdtempSync(join(tmpdir(), 'core-'));
  /** Root folder of static sites. */
  readonly sites = join(this.folder, 'sites');
  token = '';
  port = 0;
  private programs: Program[] = [];
  private databaseUrl: string | undefined;
  private databaseCreation: Promise<void> | undefined;
  /** Passwords of logins, by the token of the session. */
  private readonly passwords = new Map<string, string>();

  /** @param peer a core whose PostgreSQL database this core shares, as a core on another machine would */
  constructor(
    private readonly environment: Record<string, string> = {},
    private readonly peer?: Core,
  ) {}

  get pid(): number {
    return this.programs.at(-1)?.pid ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Output of the process, including its log. */
  get output(): string {
    return this.programs.map(({ output }) => output).join('');
  }

  /** Starts the core, or restarts it with the same data. */
  async start(): Promise<this> {
    await this.createDatabase({ isMigrated: true });
    this.port = await findFreePort();
    const { args, cwd } = buildCommand('core-api', 'bin/core', 'source');
    const environment = {
      CORE_PORT: String(this.port),
      ADMIN_USERNAME: ADMINISTRATOR.username,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
      STATIC_ROOTS: this.sites,
      // The background checks would send requests that a test does not expect.
      HEALTH_INTERVAL_S: '0',
      DNS_SERVERS: '127.0.0.1:9',
      TLS_CHECK_ADDRESS: '127.0.0.1:9',
      ...this.database,
      ...this.environment,
    };
    const program = new Program('core', args, { cwd, environment });
    this.programs.push(program);
    await program.waitForUrl(`${this.url}/readyz`);
    if (!this.token)
      this.token = (await this.request('POST', '/login', { body: ADMINISTRATOR, token: null })).body.token;
    return this;
  }

  /** Creates this core's database at the first call. On SQLite, this only copies a file, and only if `isMigrated`. */
  createDatabase(options: TestDatabaseOptions = {}): Promise<void> {
    this.databaseCreation ??= this.createNewDatabase(options);
    return this.databaseCreation;
  }

  private async createNewDatabase(options: TestDatabaseOptions): Promise<void> {
    await this.peer?.createDatabase(options);
    this.databaseUrl =
      this.environment.DATABASE_URL ??
      this.peer?.databaseUrl ??
      (await createPostgresDatabase(`core_${randomUUID().replaceAll('-', '')}`, options));
    if (!this.databaseUrl && options.isMigrated) copySqliteFile(this.folder);
  }

  /** Variables that point another program to this core's database. */
  get database(): { DATA_DIR: string; DATABASE_URL?: string } {
    return { DATA_DIR: this.folder, ...(this.databaseUrl && { DATABASE_URL: this.databaseUrl }) };
  }

  /** Connects to the database as another program. */
  async connectToDatabase(): Promise<DataSource> {
    // Few tests need TypeORM, and Jest would load its hundreds of modules for each test file.
    const { DataSource } = await import('typeorm');
    const connection = await new DataSource(
      this.databaseUrl
        ? { type: 'postgres', url: this.databaseUrl }
        : { type: 'sqlite', database: join(this.folder, 'studio.sqlite') },
    ).initialize();
    // The product may hold the write lock for a long time.
    if (!this.databaseUrl) await connection.query('PRAGMA busy_timeout = 60000');
    return connection;
  }

  /** Runs SQL on the database from outside of the product. */
  async query(sql: string): Promise<Record<string, unknown>[]> {
    const connection = await this.connectToDatabase();
    const rows = await connection.query(sql);
    await connection.destroy();
    return rows;
  }

  /** Blocks writes of usage, and on SQLite all other writes, until the returned function is called. */
  async lockUsage(): Promise<() => Promise<void>> {
    const connection = await this.connectToDatabase();
    const runner = connection.createQueryRunner();
    await runner.query(this.databaseUrl ? 'BEGIN' : 'BEGIN EXCLUSIVE');
    if (this.databaseUrl) await runner.query('LOCK TABLE api_keys, usage_minutes, usage_batches IN SHARE MODE');
    return async () => {
      await runner.query('COMMIT');
      await runner.release();
      await connection.destroy();
    };
  }

  /** Sends a signal and waits for the end. Returns the exit code, or null if the signal ended the process. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    return (await this.programs.at(-1)?.end(signal)) ?? null;
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    rmSync(this.folder, { recursive: true });
  }

  /** Sends a request to a path below `/api`. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<RestResponse> {
    const { body, token = this.token, headers, sudo = true } = options;
    const response = await this.send(method, path, { body, token, headers });
    if (path === '/login' && response.status === 200 && hasPassword(body))
      this.passwords.set(response.body.token, body.password);
    const password = this.passwords.get(token ?? '');
    if (!sudo || !response.body?.sudoRequired || password === undefined) return response;
    const sudoResponse = await this.send('POST', '/me/sudo', { body: { password }, token, headers });
    return sudoResponse.status === 200 ? this.send(method, path, { body, token, headers }) : response;
  }

  /** Sends a POST that must succeed, and returns the body of the response. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body that it expects
  async create(path: string, body: unknown): Promise<any> {
    const response = await this.request('POST', path, { body });
    if (response.status !== 200 && response.status !== 201)
      throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  private async send(method: string, path: string, { body, token, headers }: RequestOptions): Promise<RestResponse> {
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status, headers: responseHeaders } = response;
    const text = await response.text();
    if (text === '') return { status, headers: responseHeaders, body: undefined };
    const isText = responseHeaders.get('content-type')?.startsWith('text/');
    return { status, headers: responseHeaders, body: isText ? text : JSON.parse(text) };
  }
}
