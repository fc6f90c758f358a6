/**
 * Brings a checkout up to date: installs the locked packages, generates code and builds. This module imports no package,
 * because it runs before packages are installed. Each step stores a digest of its inputs, and is skipped if the digest is the
 * same as at its last run.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../supervisor/node.mjs';
import { withProgress } from './progress.mjs';

// `import.meta.dirname` does not exist in the old versions of Node that this program must refuse with a message.
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const digestFolder = join(root, 'node_modules/.studio');
/** Folders that are no input of a build. */
const IGNORED_FOLDERS = new Set(['node_modules', 'dist', 'build', 'generated', '.react-router', 'coverage', 'e2e']);

function* listFiles(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (!IGNORED_FOLDERS.has(entry.name) && !entry.name.endsWith('.test.ts') && !entry.name.endsWith('.test.tsx')) {
        yield* listFiles(join(path, entry.name));
      }
    }
  }
}

function computeDigest(paths) {
  const hash = createHash('sha256').update(process.versions.node);
  for (const path of paths) {
    for (const file of listFiles(join(root, path)))
      hash.update(relative(root, file)).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Runs a command. Its output is shown only if it fails. */
function run(title, command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, FORCE_COLOR: '0' } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.once('error', (error) => fail(`${title}: ${error.message}`));
    child.once('close', (code) => {
      if (code !== 0) fail(`${output.trimEnd()}\n${title}: falhou (código ${code}).`);
      resolve(undefined);
    });
  });
}

const toProgramPath = (name) => join(root, 'node_modules/.bin', name);
const toBuildArguments = (workspace) => ['run', 'build', '--workspace', workspace, '--silent'];
const SQLITE_BINARY = 'node_modules/sqlite3/build/Release/node_sqlite3.node';
const CORE_INPUTS = ['core-api/src', 'core-api/tsconfig.json', 'core-api/tsconfig.build.json', 'tsconfig.base.json'];
const GRAPH_INPUTS = ['schema.graphql', 'codegen.ts', 'scripts/codegen/codegen-hooks.cjs'];

/** Whether the installed packages, which npm lists in a file, match package-lock.json. */
function isInstalled() {
  const listFile = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(listFile) || !existsSync(join(root, SQLITE_BINARY))) return false;
  const lockedPackages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installedPackages = JSON.parse(readFileSync(listFile, 'utf8')).packages;
  return Object.entries(lockedPackages).every(([path, { version, link, optional }]) => {
    if (!path.includes('node_modules/') || link) return true;
    const installed = installedPackages[path];
    return installed ? installed.version === version : optional;
  });
}

const generate = {
  name: 'codegen',
  title: 'Gerando tipos e hooks',
  inputs: [...GRAPH_INPUTS, 'core-api/openapi.json', 'web/src'],
  outputs: [
    'bff/src/graph/generated',
    'bff/src/core/generated/rest.ts',
    'web/src/generated/graph.ts',
    'web/.react-router/types',
  ],
  run: (title) => run(title, 'npm', ['run', 'codegen', '--silent']),
};
const builds = [
  {
    name: 'core-api',
    title: 'Compilando o core e a borda',
    inputs: CORE_INPUTS,
    outputs: ['core-api/dist/bin/core.js', 'core-api/dist/bin/edge.js'],
    run: (title) => run(title, toProgramPath('tsc'), ['-p', 'core-api/tsconfig.build.json']),
  },
  {
    name: 'bff',
    title: 'Compilando o BFF',
    inputs: [
      'bff',
      ...GRAPH_INPUTS,
      'core-api/openapi.json',
      'tsconfig.base.json',
      'scripts/build-web/precompress.mjs',
    ],
    outputs: ['bff/dist/main.js', 'bff/playground/dist/index.html'],
    run: (title) => run(title, 'npm', toBuildArguments('bff')),
  },
  {
    name: 'web',
    title: 'Compilando o site e o console',
    inputs: ['web', ...GRAPH_INPUTS, 'tsconfig.base.json', 'scripts/build-web'],
    outputs: ['web/build/client/index.html'],
    run: (title) => run(title, 'npm', toBuildArguments('web')),
  },
];

/** Runs a step unless its inputs are unchanged and its outputs exist. @param {(typeof builds)[number]} step */
async function runStep({ name, title, inputs, outputs, run: work }) {
  const digest = computeDigest(inputs);
  const digestFile = join(digestFolder, name);
  const isUnchanged = existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest;
  if (isUnchanged && outputs.every((path) => existsSync(join(root, path)))) return;
  await withProgress(title, () => work(title));
  mkdirSync(digestFolder, { recursive: true });
  writeFileSync(digestFile, digest);
}

/**
 * Describes the progress of an installation: "412 de 1013 pacotes". Optional packages are not counted, because most are for
 * other systems. npm makes all folders first, so a package counts as present once it has its package.json. If no binary of
 * SQLite can be downloaded, npm compiles SQLite after all packages, which takes minutes.
 */
export function describeProgress(folder = root) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const paths = Object.keys(packages).filter((path) => path.includes('node_modules/') && !packages[path].optional);
  const present = paths.filter((path) => existsSync(join(folder, path, 'package.json')));
  const countText = `${present.length} de ${paths.length} pacotes`;
  return present.length === paths.length ? `${countText}, preparando o SQLite` : countText;
}

/** Installs the locked packages unless they are installed. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  const title = 'Instalando os pacotes';
  await withProgress(title, () => run(title, 'npm', ['ci', '--no-audit', '--no-fund']), {
    detail: () => describeProgress(),
  });
}

/** Builds everything that `npm start` and the browser tests need. Steps that are up to date are skipped. */
export async function ensureBuilt() {
  await ensureInstalled();
  await runStep(generate);
  await Promise.all(builds.map(runStep));
}

/** Builds only the core, for the commands that work on its database. */
export async function ensureCoreBuilt() {
  await ensureInstalled();
  await runStep(builds[0]);
}
