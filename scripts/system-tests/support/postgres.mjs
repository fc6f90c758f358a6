/** Runs a separate PostgreSQL server that can be stopped, killed, frozen and copied. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../testing/harness.mjs';
import { queryPostgres } from './rows.mjs';

const DEBIAN = '/usr/lib/postgresql';
/** Finds Debian's programs, because the npm packages contain no `pg_basebackup`. */
function findPrograms() {
  const newest = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  if (!newest) throw new Error(`PostgreSQL is missing: apt-get install postgresql`);
  return join(DEBIAN, newest, 'bin');
}

const USER = 'studio';
const PASSWORD = 'studio';

export class Postgres {
  /** @type {number | undefined} */
  port;
  folder = mkdtempSync(join(tmpdir(), 'system-test-postgres-'));

  /**
   * @param {object} [options]
   * @param {string[]} [options.commandPrefix] command that runs the server elsewhere, such as in a network namespace
   * @param {string} [options.host] address that the server listens on
   */
  constructor({ commandPrefix = [], host = '127.0.0.1' } = {}) {
    this.commandPrefix = commandPrefix;
    this.host = host;
    this.data = join(this.folder, 'data');
    // The server does not run as root, so its user must have access to the folder.
    chmodSync(this.folder, 0o777);
  }

  run(program, ...args) {
    const command = [...this.commandPrefix, 'runuser', '-u', 'postgres', '--', join(findPrograms(), program), ...args];
    const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), {
      cwd: this.folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, PGPASSWORD: PASSWORD },
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  async create() {
    this.port ??= await findFreePort();
    mkdirSync(this.data, { mode: 0o700 });
    spawnSync('chown', ['-R', 'postgres', this.folder]);
    const passwordFile = join(this.folder, 'password');
    appendFileSync(passwordFile, PASSWORD);
    chmodSync(passwordFile, 0o644);
    this.run(
      'initdb',
      '-D',
      this.data,
      '-U',
      USER,
      '-E',
      'UTF8',
      '--locale=C',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
    );
    appendFileSync(
      join(this.data, 'pg_hba.conf'),
      `host all all 10.0.0.0/8 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n`,
    );
    return this;
  }

  /** Creates a standby of `primary`. */
  async createStandby(primary, name) {
    this.port ??= await findFreePort();
    spawnSync('chown', ['-R', 'postgres', this.folder]);
    const connection = `host=${primary.host} port=${primary.port} user=${USER} password=${PASSWORD} application_name=${name}`;
    this.run('pg_basebackup', '-D', this.data, '-d', connection, '-R', '-X', 'stream');
    return this;
  }

  start(...settings) {
    const options = [`-p ${this.port}`, `-h ${this.host}`, '-k ""', ...settings.map((setting) => `-c ${setting}`)].join(
      ' ',
    );
    this.run('pg_ctl', '-D', this.data, '-l', join(this.folder, 'log'), '-w', '-o', options, 'start');
    return this;
  }

  /** @param {'fast' | 'immediate'} mode */
  stop(mode = 'fast') {
    if (existsSync(join(this.data, 'postmaster.pid'))) this.run('pg_ctl', '-D', this.data, '-m', mode, '-w', 'stop');
  }

  promote() {
    this.run('pg_ctl', '-D', this.data, '-w', 'promote');
  }

  /** Process ids of the postmaster and of its children. */
  get pids() {
    const postmaster = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' }).stdout;
    return [postmaster, ...children.split('\n').map(Number).filter(Boolean)];
  }

  /** @param {'SIGSTOP' | 'SIGCONT' | 'SIGKILL'} signal */
  signal(signal) {
    for (const pid of this.pids) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error; // The process has ended.
      }
    }
  }

  url(database, { password = PASSWORD, host = this.host, port = this.port } = {}) {
    return `postgres://${USER}:${password}@${host}:${port}/${database}`;
  }

  query(database, sql, parameters) {
    return queryPostgres(this.url(database), sql, parameters);
  }

  /** Creates an empty database. @returns its URL */
  async createDatabase(name) {
    await this.query('postgres', `CREATE DATABASE ${name}`);
    return this.url(name);
  }

  remove() {
    try {
      this.signal('SIGCONT');
      this.stop('immediate');
    } catch {
      // The process has already ended.
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
