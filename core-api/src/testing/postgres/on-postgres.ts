/** Runs every core of this Jest project on PostgreSQL (`testing/core.ts` reads the variable). */
process.env.TEST_ON_POSTGRES = '1';
