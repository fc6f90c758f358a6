import type { CodegenConfig } from '@graphql-codegen/cli';

const sharedOptions = { namingConvention: 'keep', useTypeImports: true, scalars: { ID: 'string', DateTime: 'string' } };

/** Generates types and hooks from `schema.graphql`. `npm run codegen` also generates the types of REST and routes. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    // Resolvers return REST types. Without a mapper, a difference between REST and the schema is a type error.
    'bff/src/graph/generated/resolvers.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        contextType: '../../context#Context',
        avoidOptionals: { field: true },
        enumsAsTypes: true,
        enumValues: { WwwMode: '../resolvers/rest-types#WwwMode' },
        mappers: { Live: '../resolvers/rest-types#RestLive' },
        // GraphQL cannot declare "optional, but not null". Resolvers pass a null on, and REST refuses an invalid null.
        inputMaybeValue: 'T | undefined',
        ...sharedOptions,
      },
    },
    'web/src/generated/graph.ts': {
      plugins: ['typescript'],
      config: { onlyOperationTypes: true, enumsAsTypes: true, ...sharedOptions },
    },
    'web/src/': {
      documents: 'web/src/**/*.graphql',
      preset: 'near-operation-file',
      presetConfig: { baseTypesPath: 'generated/graph.ts', folder: 'generated', extension: '.ts' },
      plugins: ['typescript-operations', 'typed-document-node', './scripts/codegen/codegen-hooks.cjs'],
      config: {
        importSchemaTypesFrom: 'web/src/generated/graph.ts',
        documentMode: 'documentNodeImportFragments',
        ...sharedOptions,
      },
    },
  },
};

export default config;
