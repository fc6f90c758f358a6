/** Who may import whom. Every rule is an error: a boundary that only advises is none. */
/** Folders of core-api/src that are no feature; every other one is, below `gateway` too. */
const shared = 'backup|commands|database|decide|edge|http|retention|rules|secrets|seed|telegram|testing|tracing';
const features = `gateway/[^/]+|(?!(?:${shared}|gateway)/)[^/]+`;
const feature = `^core-api/src/(?:${features})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      // Imports of types count: what needs another's type cannot be read without it.
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['\\?url$', '^virtual:', '^@graphql-typed-document-node/core$'] },
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
      from: { path: '^web/src/(features|ui|lib)/' },
      to: { path: '^web/src/app/', pathNot: '^web/src/app/paths\\.ts$' },
    },
    {
      name: 'web-ui-is-interface-only',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: {
        path: ['^web/src/(features|app|generated)/', 'node_modules/(@apollo|graphql|rxjs|react-router|@react-router)/'],
      },
    },
    {
      name: 'web-ui-has-six-rooms',
      severity: 'error',
      from: {},
      to: {
        path: '^web/src/ui/',
        pathNot: '^web/src/ui/(?:(?:layout|list|form|dialog|feedback|theme)/|fonts/|ui\\.messages\\.ts$)',
      },
    },
    {
      name: 'web-lib-below-ui',
      severity: 'error',
      from: { path: '^web/src/lib/' },
      to: { path: ['^web/src/(ui|features|generated)/', 'node_modules/(@chakra-ui|framer-motion|lucide-react)/'] },
    },
    {
      name: 'web-no-circle-of-any-kind',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { circular: true },
    },
    {
      name: 'bff-graph-through-the-client',
      severity: 'error',
      from: { path: '^bff/src/graph/', pathNot: '\\.test\\.ts$' },
      to: { path: '^bff/src/core/generated/' },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '^core-api/src/rules/', pathNot: '\\.test\\.ts$' },
      to: { path: '^core-api/src/', pathNot: '^core-api/src/rules/' },
    },
    {
      name: 'edge-request-path-without-database',
      severity: 'error',
      from: {
        path: '^core-api/src/edge/',
        pathNot: ['^core-api/src/edge/primary/store\\.ts$', '\\.test\\.ts$', '/testing/'],
      },
      to: {
        path: ['node_modules/(typeorm|express)/', '^core-api/src/http/', feature],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-below-the-app',
      severity: 'error',
      from: { path: feature, pathNot: '\\.test\\.ts$' },
      to: { path: '^core-api/src/(app|main|schema|configured-rows)' },
    },
    {
      name: 'decide-imports-rules-alone',
      severity: 'error',
      from: { path: '^core-api/src/decide/', pathNot: '\\.test\\.ts$' },
      to: { path: '^core-api/src/', pathNot: '^core-api/src/(decide|rules)/' },
    },
    {
      name: 'core-knows-no-edge',
      severity: 'error',
      from: { path: '^core-api/src/', pathNot: ['^core-api/src/(edge|testing)/', '\\.test\\.ts$'] },
      to: { path: '^core-api/src/edge/' },
    },
    {
      name: 'http-and-database-below-the-features',
      severity: 'error',
      from: { path: '^core-api/src/(http|database)/', pathNot: '\\.test\\.ts$' },
      to: { path: [feature, '^core-api/src/(app|main|schema|configured-rows|edge|seed|admin)'] },
    },
    {
      name: 'features-meet-at-their-services',
      severity: 'error',
      from: { path: `^core-api/src/(${features})/`, pathNot: '\\.test\\.ts$' },
      to: { path: feature, pathNot: ['^core-api/src/$1/', '\\.service\\.ts$'] },
    },
    {
      name: 'migrations-are-frozen',
      severity: 'error',
      from: { path: '^core-api/src/database/migrations/' },
      to: { path: '^core-api/src/', pathNot: '^core-api/src/database/migrations/' },
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
    // Only our own builds: most packages lie in a `dist`, and the rules above name packages.
    exclude: { path: '^(?!.*node_modules/).*(^|/)(dist|build|\\.react-router)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
