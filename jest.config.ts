/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import { listPostgresTests, POSTGRES_ONLY_TESTS } from './scripts/testing/database-tests';

/** Compiles TypeScript with swc. `decorators` also emits the metadata that TypeORM's entities need. */
const compileWithSwc = (options: { decorators?: boolean; jsx?: boolean } = {}): Config['transform'] => ({
  '^.+\\.tsx?$': [
    '@swc/jest',
    {
      swcrc: false,
      module: { type: 'commonjs' },
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', tsx: Boolean(options.jsx), decorators: Boolean(options.decorators) },
        transform: {
          legacyDecorator: Boolean(options.decorators),
          decoratorMetadata: Boolean(options.decorators),
          useDefineForClassFields: !options.decorators,
          ...(options.jsx ? { react: { runtime: 'automatic' } } : {}),
        },
      },
    },
  ],
});

const baseProject = {
  runtime: '<rootDir>/scripts/testing/jest-runtime.cjs',
  setupFilesAfterEnv: ['<rootDir>/scripts/testing/second-try.ts'],
};
const nodeProject = {
  ...baseProject,
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json', 'node'],
};

const config: Config = {
  // Four workers are the fastest on two cores, because a third of a worker's time is spent waiting for started processes.
  maxWorkers: 4,
  // On a machine under load a test may take minutes. No test asserts an upper bound of a duration.
  testTimeout: 180_000,
  // Jest would report a leak after half a second, but a worker takes longer to end on a busy machine.
  workerGracefulExitTimeout: 5_000,
  projects: [
    {
      ...nodeProject,
      displayName: 'core-api',
      testMatch: ['<rootDir>/core-api/src/**/*.test.ts'],
      testPathIgnorePatterns: POSTGRES_ONLY_TESTS.map((file) => `/core-api/src/${file}`),
      transform: compileWithSwc({ decorators: true }),
      globalSetup: '<rootDir>/core-api/src/testing/sqlite/migrate-sqlite.ts',
      globalTeardown: '<rootDir>/core-api/src/testing/sqlite/remove-sqlite.ts',
    },
    {
      ...nodeProject,
      displayName: 'core-api on PostgreSQL',
      testMatch: listPostgresTests(),
      transform: compileWithSwc({ decorators: true }),
      globalSetup: '<rootDir>/core-api/src/testing/postgres/start-postgres.ts',
      globalTeardown: '<rootDir>/core-api/src/testing/postgres/stop-postgres.ts',
      setupFiles: ['<rootDir>/core-api/src/testing/postgres/on-postgres.ts'],
    },
    {
      ...nodeProject,
      displayName: 'bff',
      testMatch: ['<rootDir>/bff/src/**/*.test.ts'],
      transform: compileWithSwc({ decorators: true }),
    },
    {
      ...baseProject,
      displayName: 'web',
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
      setupFiles: ['<rootDir>/web/src/testing/jsdom.ts'],
      transform: compileWithSwc({ jsx: true }),
    },
    {
      ...nodeProject,
      displayName: 'e2e',
      testEnvironment: '<rootDir>/web/e2e/support/environment.ts',
      testMatch: ['<rootDir>/web/e2e/**/*.spec.ts'],
      transform: compileWithSwc(),
    },
    {
      ...nodeProject,
      displayName: 'checks',
      testMatch: ['<rootDir>/scripts/checks/**/*.test.ts'],
      transform: compileWithSwc(),
    },
  ],
};

export default config;
