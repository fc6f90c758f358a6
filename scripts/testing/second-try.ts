/**
 * Gives a failed test a second try on CI, where the machine may be busy with others. `npm test` names each test that
 * needed it (docs/decisions/474).
 */
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
