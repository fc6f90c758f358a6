/** Modules of core-api/src from the top to the bottom. A module may import only the modules after itself in this list. */
const layers = ['bin', 'operations|edge', 'app', 'features', 'routing', 'platform'];
/** The folder of one feature. The parts of the gateway are features too. */
const feature = '^core-api/src/features/(gateway/[^/]+|(?!gateway/)[^/]+)/';
const notTests = ['\\.test\\.ts$', '/testing/'];
const downwardsOnly = layers.slice(1).map((layer, index) => ({
  name: `core-${layer.replace('|', '-and-')}-import-downwards`,
  severity: 'error',
  from: { path: `^core-api/src/(${layer})/`, pathNot: notTests },
  to: { path: `^core-api/src/(${layers.slice(0, index + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      // Imports of types count too, because understanding code requires the types that it uses.
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: {
        couldNotResolve: true,
        pathNot: ['\\?url$', '^virtual:', '^\\./\\+types/', '^@graphql-typed-document-node/core$'],
      },
    },
    {
      name: 'workspaces-share-contracts-only',
      severity: 'error',
      from: { path: '^(web|bff|core-api)/src' },
      to: { path: '^(web|bff|core-api)/src', pathNot: '^$1/src' },
    },
    {
      name: 'web-features-are-apart',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'web-features-below-app',
      severity: 'error',
      from: { path: '^web/src/(features|shared|ui|lib)/' },
      to: { path: '^web/src/app/' },
    },
    {
      name: 'web-shared-below-features',
      severity: 'error',
      from: { path: '^web/src/shared/' },
      to: { path: '^web/src/(features|generated)/' },
    },
    {
      name: 'web-ui-is-interface-only',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: {
        path: [
          '^web/src/(features|shared|generated|lib/(graphql|routing))/',
          'node_modules/(@apollo|graphql|rxjs|react-router|@react-router)/',
        ],
      },
    },
    {
      name: 'web-ui-has-seven-folders',
      severity: 'error',
      from: {},
      to: {
        path: '^web/src/ui/',
        pathNot: '^web/src/ui/(?:(?:layout|list|cells|form|dialog|feedback|theme)/|fonts/|ui\\.messages\\.ts$)',
      },
    },
    {
      name: 'web-lib-below-ui',
      severity: 'error',
      from: { path: '^web/src/lib/', pathNot: '^web/src/lib/graphql/generated/' },
      to: {
        path: ['^web/src/(ui|shared|features|generated)/', 'node_modules/(@chakra-ui|framer-motion|lucide-react)/'],
      },
    },

    {
      name: 'bff-graph-through-the-client',
      severity: 'error',
      from: { path: '^bff/src/graph/', pathNot: '\\.test\\.ts$' },
      to: { path: '^bff/src/core/generated/' },
    },
    ...downwardsOnly,
    {
      name: 'core-has-eight-modules',
      severity: 'error',
      from: {},
      to: { path: '^core-api/src/', pathNot: `^core-api/src/(${layers.join('|')}|testing)/` },
    },
    {
      name: 'edge-and-operations-are-apart',
      severity: 'error',
      from: { path: '^core-api/src/(edge|operations)/', pathNot: notTests },
      to: { path: '^core-api/src/(edge|operations)/', pathNot: '^core-api/src/$1/' },
    },
    {
      name: 'edge-request-path-without-database',
      severity: 'error',
      from: {
        path: '^core-api/src/edge/',
        pathNot: ['^core-api/src/edge/config-sync/edge-store\\.ts$', ...notTests],
      },
      to: {
        path: ['node_modules/(typeorm|express)/', '^core-api/src/platform/http/', '^core-api/src/(app|features)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'edge-store-alone-imports-app',
      severity: 'error',
      from: { path: '^core-api/src/edge/', pathNot: ['^core-api/src/edge/config-sync/edge-store\\.ts$', ...notTests] },
      to: { path: '^core-api/src/app/' },
    },
    {
      name: 'engine-knows-no-product',
      severity: 'error',
      from: { path: '^core-api/src/edge/engine/', pathNot: notTests },
      to: { path: '^core-api/src/', pathNot: '^core-api/src/(edge/engine|platform/net)/' },
    },
    {
      name: 'net-text-and-usage-are-pure',
      severity: 'error',
      from: { path: '^core-api/src/platform/(net|text|usage)/', pathNot: notTests },
      to: { path: '^core-api/src/', pathNot: '^core-api/src/platform/((net|text|usage)/|errors/error-details\\.ts$)' },
    },
    {
      name: 'routing-imports-net-alone',
      severity: 'error',
      from: { path: '^core-api/src/routing/', pathNot: notTests },
      to: { path: '^core-api/src/', pathNot: '^core-api/src/(routing|platform/net)/' },
    },
    {
      name: 'features-import-the-index-of-others',
      severity: 'error',
      from: { path: feature, pathNot: notTests },
      to: { path: '^core-api/src/features/', pathNot: ['^core-api/src/features/$1/', '/index\\.ts$'] },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^core-api/src/', pathNot: notTests },
      to: { path: '/testing/' },
    },
    {
      name: 'migrations-are-frozen',
      severity: 'error',
      from: { path: '^core-api/src/platform/database/migrations/' },
      to: { path: '^core-api/src/', pathNot: '^core-api/src/platform/database/migrations/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { path: '\\.test\\.tsx?$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Excludes only our own builds, because many packages also have a folder `dist` and the rules above name packages.
    exclude: { path: '^(?!.*node_modules/).*(^|/)(dist|build|\\.react-router)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
