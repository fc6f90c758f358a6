/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

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

const node = { testEnvironment: 'node', moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json', 'node'] };

const config: Config = {
  maxWorkers: 2,
  testTimeout: 30_000,
  projects: [
    {
      ...node,
      displayName: 'core-api',
      testMatch: ['<rootDir>/core-api/src/**/*.test.ts'],
      transform: swc({ decorators: true }),
    },
    {
      ...node,
      displayName: 'bff',
      testMatch: ['<rootDir>/bff/src/**/*.test.ts'],
      transform: swc({ decorators: true }),
    },
    {
      displayName: 'web',
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
      transform: swc({ jsx: true }),
    },
    {
      ...node,
      displayName: 'journeys',
      testMatch: ['<rootDir>/web/journeys/**/*.test.ts'],
      transform: swc(),
    },
    { ...node, displayName: 'checks', testMatch: ['<rootDir>/scripts/checks/**/*.test.ts'], transform: swc() },
  ],
};

export default config;
