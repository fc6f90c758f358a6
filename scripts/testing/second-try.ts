/**
 * Gives a failed test a second try on CI, where other work may slow the machine down. `npm test` names each test that
 * needed the second try (docs/decisions/144).
 */
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
