/**
 * `npm run release -- DIR`: what a machine in production needs, in a folder of its own: compiled code, the web build,
 * packages for production only, units and INSTALL.md. It runs with Node alone and writes nothing into itself.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { checkNode, fail } from './node.mjs';
import { built, root } from './setup.mjs';

const PROGRAMS = [
  'schema.graphql',
  'core-api/package.json',
  'core-api/dist',
  'bff/package.json',
  'bff/dist',
  'bff/playground/dist',
  'web/build/client',
  ...['node', 'run', 'supervisor', 'environment', 'start-release'].map((name) => `scripts/${name}.mjs`),
  'LICENSE',
];
const COMMANDS = { admin: 'admin', backup: 'commands/backup', restore: 'commands/restore', move: 'commands/move' };
const DEPLOY = join(root, 'scripts/deploy');
const MIGRATIONS = 'core-api/dist/database/migrations';

checkNode();
const given = process.argv[2];
if (!given) fail('Uso: npm run release -- PASTA');
// npm starts this program at the root of the clone, whichever folder it was called in.
const target = resolve(process.env.INIT_CWD ?? '.', given);
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target}: a pasta não está vazia.`);
if (!relative(root, target).startsWith('..')) fail(`${target}: a pasta fica dentro do repositório.`);
await built();
// Readable by all users, whatever the umask.
process.umask(0o022);

/** Packages that core-api and bff need at run time, as npm lists them. */
function productionPackages() {
  const args = ['ls', '--all', '--parseable', '--omit=dev', '--workspace', 'core-api', '--workspace', 'bff'];
  const listed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 24 });
  return listed.split('\n').flatMap((path) => {
    const below = relative(root, path);
    return below.includes(`node_modules${sep}`) && !below.includes(`node_modules${sep}@studio`) ? [below] : [];
  });
}

/** Types and source maps are for builds; nested packages are copied by themselves. */
function copy(path) {
  const from = join(root, path);
  const isNeeded = (file) => {
    const below = relative(from, file);
    return below !== 'node_modules' && !/\.(map|d\.[cm]?ts)$/.test(below);
  };
  cpSync(from, join(target, path), { recursive: true, dereference: true, filter: isNeeded });
}

/** The version of package.json, and of which commit where git knows. */
function version() {
  const { version: number } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  try {
    const git = (...args) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const changed = git('status', '--porcelain').trim() === '' ? '' : '.changed';
    return `${number}+${git('rev-parse', '--short=12', 'HEAD').trim()}${changed}`;
  } catch {
    return number;
  }
}

process.stdout.write('Montando a versão …\n');
mkdirSync(target, { recursive: true });
for (const path of [...PROGRAMS, ...productionPackages()]) copy(path);
const named = version();
writeFileSync(join(target, 'VERSION'), `${named}\n`);
writeFileSync(join(target, 'start.mjs'), `import './scripts/start-release.mjs';\n`);
for (const [command, program] of Object.entries(COMMANDS)) {
  writeFileSync(join(target, `${command}.mjs`), `import './core-api/dist/${program}.js';\n`);
}

const schema = readdirSync(join(root, MIGRATIONS))
  .filter((name) => name.endsWith('.js'))
  .sort()
  .at(-1)
  ?.replace(/\.js$/, '');
const table = /\| variable \| default \|[\s\S]*?\n(?=\n)/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[0];
cpSync(DEPLOY, join(target, 'deploy'), { recursive: true, filter: (path) => !path.endsWith('INSTALL.md') });
const manual = readFileSync(join(DEPLOY, 'INSTALL.md'), 'utf8')
  .replaceAll('{VERSION}', named)
  .replaceAll('{SCHEMA}', schema)
  .replace('{VARIABLES}\n', () => table);
writeFileSync(join(target, 'INSTALL.md'), manual);
process.stdout.write(`${target}: versão ${named}. Como instalar: INSTALL.md\n`);
