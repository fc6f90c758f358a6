import sqlite3 from 'sqlite3';

/** TypeORM calls `verbose()`, which captures a stack trace and so doubles the cost of each query. */
export const sqliteDriver = { ...sqlite3, verbose: () => sqlite3 };
