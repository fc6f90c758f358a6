import type { CodegenConfig } from '@graphql-codegen/cli';

const common = { namingConvention: 'keep', useTypeImports: true, scalars: { ID: 'string', DateTime: 'string' } };

/**
 * Everything generated from the graph. The REST types of the BFF come from `core-api/openapi.json` (`npm run codegen`).
 */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    // With few `mappers`, a resolver must return what the schema declares, so a difference from REST is a type error.
    'bff/src/graph/generated/resolvers.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        contextType: '../../context#Context',
        avoidOptionals: { field: true },
        enumsAsTypes: true,
        enumValues: { WwwMode: '../rest-types#WwwMode' },
        mappers: { Live: '../rest-types#RestLive' },
        // GraphQL cannot declare "optional, but not null". A null is passed to REST, which refuses it where it is
        // invalid.
        inputMaybeValue: 'T | undefined',
        ...common,
      },
    },
    'web/src/generated/graph.ts': {
      plugins: ['typescript'],
      config: { onlyOperationTypes: true, enumsAsTypes: true, ...common },
    },
    'web/src/': {
      documents: 'web/src/**/*.graphql',
      preset: 'near-operation-file',
      presetConfig: { baseTypesPath: 'generated/graph.ts', folder: 'generated', extension: '.ts' },
      plugins: ['typescript-operations', 'typed-document-node', './scripts/codegen-hooks.cjs'],
      config: {
        importSchemaTypesFrom: 'web/src/generated/graph.ts',
        documentMode: 'documentNodeImportFragments',
        ...common,
      },
    },
  },
};

export default config;
