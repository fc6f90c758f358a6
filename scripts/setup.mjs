/**
 * Brings a checkout up to date: packages as locked, generated code, builds. Plain Node, since it runs before anything is
 * installed. What did not change since the last time is left alone: each step keeps a digest of what it was made from.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from './node.mjs';

// `import.meta.dirname` is younger than the oldest Node that must be refused in words.
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const stamps = join(root, 'node_modules/.studio');
const GENERATED = new Set(['node_modules', 'dist', 'build', 'generated', '.react-router', 'coverage', 'journeys']);

function* filesOf(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (!GENERATED.has(entry.name) && !entry.name.endsWith('.test.ts') && !entry.name.endsWith('.test.tsx')) {
        yield* filesOf(join(path, entry.name));
      }
    }
  }
}

function digestOf(paths) {
  const hash = createHash('sha256').update(process.versions.node);
  for (const path of paths) {
    for (const file of filesOf(join(root, path)))
      hash.update(relative(root, file)).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Runs a command quietly; what it printed is shown only when it fails. */
function run(title, command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, FORCE_COLOR: '0' } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.once('error', (error) => fail(`${title}: ${error.message}`));
    child.once('close', (code) => {
      if (code !== 0) fail(`${output.trimEnd()}\n${title}: falhou (código ${code}).`);
      resolve();
    });
  });
}

const bin = (name) => join(root, 'node_modules/.bin', name);
const npmRun = (workspace) => ['run', 'build', '--workspace', workspace, '--silent'];
const CORE = ['core-api/src', 'core-api/tsconfig.json', 'core-api/tsconfig.build.json', 'tsconfig.base.json'];
const NATIVE = 'node_modules/sqlite3/build/Release/node_sqlite3.node';
const GRAPH = ['schema.graphql', 'codegen.ts', 'scripts/codegen-hooks.cjs'];

/** Whether the packages that npm noted when it last installed are the locked ones. */
function isInstalled() {
  const noted = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(noted) || !existsSync(join(root, NATIVE))) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(noted, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, link, optional }]) =>
      !path.includes('node_modules/') || link || (optional && !present[path]) || present[path]?.version === version,
  );
}

const generate = {
  name: 'codegen',
  title: 'Gerando tipos e hooks',
  from: [...GRAPH, 'core-api/openapi.json', 'web/src/features', 'web/src/app'],
  outputs: ['bff/src/graph/generated', 'bff/src/core/generated/rest.ts', 'web/src/generated/graph.ts'],
  run: (title) => run(title, 'npm', ['run', 'codegen', '--silent']),
};
const builds = [
  {
    name: 'core-api',
    title: 'Compilando o core e a borda',
    from: CORE,
    outputs: ['core-api/dist/main.js', 'core-api/dist/edge/main.js'],
    run: (title) => run(title, bin('tsc'), ['-p', 'core-api/tsconfig.build.json']),
  },
  {
    name: 'bff',
    title: 'Compilando o BFF',
    from: ['bff', ...GRAPH, 'core-api/openapi.json', 'tsconfig.base.json', 'scripts/precompress.mjs'],
    outputs: ['bff/dist/main.js', 'bff/playground/dist/index.html'],
    run: (title) => run(title, 'npm', npmRun('bff')),
  },
  {
    name: 'web',
    title: 'Compilando o site e o console',
    from: ['web', ...GRAPH, 'tsconfig.base.json', 'scripts/precompress.mjs', 'scripts/build-web'],
    outputs: ['web/build/client/index.html'],
    run: (title) => run(title, 'npm', npmRun('web')),
  },
];

/** `from` is what a step reads, `outputs` what must exist afterwards. */
async function runStep({ name, title, from, outputs, run: work }) {
  const digest = digestOf(from);
  const stamp = join(stamps, name);
  const current = existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
  if (current && outputs.every((path) => existsSync(join(root, path)))) return;
  process.stdout.write(`${title} …\n`);
  await work(title);
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, digest);
}

/** Packages as locked. */
export async function installed() {
  if (isInstalled()) return;
  const title = 'Instalando os pacotes';
  process.stdout.write(`${title} …\n`);
  await run(title, 'npm', ['ci', '--no-audit', '--no-fund']);
}

/** Everything that `npm start` and the browser tests run. */
export async function built() {
  await installed();
  await runStep(generate);
  await Promise.all(builds.map(runStep));
}

/** The core alone, for the commands that work on its database. */
export async function coreBuilt() {
  await installed();
  await runStep(builds[0]);
}
