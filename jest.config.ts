/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import { postgresTests } from './scripts/testing/database-tests';

/** TypeScript through swc; `decorators` also emits the metadata that TypeORM's entities need. */
const swc = (options: { decorators?: boolean; jsx?: boolean } = {}): Config['transform'] => ({
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

const everywhere = { setupFilesAfterEnv: ['<rootDir>/scripts/testing/second-try.ts'] };
const node = {
  ...everywhere,
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json', 'node'],
};

const config: Config = {
  // A machine with two cores runs four workers, because each waits a third of its time for the processes that its tests
  // start.
  maxWorkers: 4,
  // A test may take this long on a machine under load. No test asserts a duration.
  testTimeout: 180_000,
  // On a busy machine a worker takes longer than half a second to end, which Jest reports as a leak.
  workerGracefulExitTimeout: 5_000,
  projects: [
    {
      ...node,
      displayName: 'core-api',
      testMatch: ['<rootDir>/core-api/src/**/*.test.ts'],
      transform: swc({ decorators: true }),
    },
    {
      ...node,
      displayName: 'core-api on PostgreSQL',
      testMatch: postgresTests(),
      transform: swc({ decorators: true }),
      globalSetup: '<rootDir>/core-api/src/testing/postgres.ts',
      globalTeardown: '<rootDir>/core-api/src/testing/postgres-stop.ts',
      setupFiles: ['<rootDir>/core-api/src/testing/on-postgres.ts'],
    },
    {
      ...node,
      displayName: 'bff',
      testMatch: ['<rootDir>/bff/src/**/*.test.ts'],
      transform: swc({ decorators: true }),
    },
    {
      ...everywhere,
      displayName: 'web',
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
      setupFiles: ['<rootDir>/web/src/testing/jsdom.ts'],
      transform: swc({ jsx: true }),
    },
    {
      ...node,
      displayName: 'e2e',
      testEnvironment: '<rootDir>/web/e2e/support/environment.ts',
      testMatch: ['<rootDir>/web/e2e/**/*.spec.ts'],
      transform: swc(),
    },
    { ...node, displayName: 'checks', testMatch: ['<rootDir>/scripts/checks/**/*.test.ts'], transform: swc() },
  ],
};

export default config;
