/** Reads and locks the database directly, without the product. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(import.meta.dirname, '../../../core-api/package.json'));
const sqlite3 = require('sqlite3');
const { Client } = require('pg');

/** Returns the rows of a query on a SQLite file. */
export async function querySqlite(file, sql) {
  const database = await new Promise((resolve, reject) => {
    const opened = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  try {
    return await new Promise((resolve, reject) => {
      database.all(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  } finally {
    await new Promise((resolve) => database.close(resolve));
  }
}

/** Locks a SQLite file exclusively. @returns a function that unlocks it */
export async function lockSqlite(file) {
  const database = await new Promise((resolve, reject) => {
    const opened = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  const run = (sql) =>
    new Promise((resolve, reject) => database.run(sql, (error) => (error ? reject(error) : resolve(undefined))));
  await run('PRAGMA busy_timeout = 5000');
  await run('BEGIN EXCLUSIVE');
  return async () => {
    await run('COMMIT');
    await new Promise((resolve) => database.close(resolve));
  };
}

/**
 * Returns the rows of a query on PostgreSQL.
 * @param {string} url
 * @param {string} sql
 * @param {unknown[]} [parameters]
 * @returns {Promise<Record<string, unknown>[]>}
 */
export async function queryPostgres(url, sql, parameters) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the names for which `rows` has no subdomain. */
export function findMissingSubdomains(names, rows) {
  const stored = new Set(rows.map(({ subdomain }) => subdomain));
  return names.filter((name) => !stored.has(name));
}
