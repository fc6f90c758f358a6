/** Who may import whom. Every rule is an error: a boundary that only advises is none. */
const feature = '^core-api/src/(?:accounts|subdomains|suggestions|projects|tenants|settings|contact|gateway)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
      from: { path: '^web/src/(features|ui)/' },
      to: { path: '^web/src/app/', pathNot: '^web/src/app/static/' },
    },
    {
      name: 'web-ui-knows-no-feature',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: { path: '^web/src/features/' },
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
      from: { path: '^core-api/src/edge/', pathNot: ['^core-api/src/edge/store\\.ts$', '\\.test\\.ts$', '/testing/'] },
      to: {
        path: ['node_modules/(typeorm|express)/', '^core-api/src/http/', feature],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-below-the-app',
      severity: 'error',
      from: { path: feature, pathNot: '\\.test\\.ts$' },
      to: { path: '^core-api/src/(app|main|edge)' },
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
    exclude: { path: '(^|/)(dist|build|\\.react-router)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
