import sqlite3 from 'sqlite3';

/**
 * TypeORM enables `verbose()`, which doubles the cost of each query: it captures a stack trace and prints parameters.
 */
export const sqliteDriver = { ...sqlite3, verbose: () => sqlite3 };
