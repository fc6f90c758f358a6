/** Makes every core of this Jest project run on PostgreSQL (`testing/core.ts` reads it). */
process.env.TEST_ON_POSTGRES = '1';
