/**
 * `npm run release -- DIR`: creates a folder with everything that a production machine needs: compiled code, the web
 * build, production packages, units and INSTALL.md. The release needs only Node and writes nothing into itself.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { checkNode, fail } from './node.mjs';
import { ensureBuilt, root } from './setup.mjs';

const PROGRAMS = [
  'schema.graphql',
  'core-api/package.json',
  'core-api/dist',
  'core-api/deploy.mjs',
  'core-api/common-passwords.txt',
  'bff/package.json',
  'bff/dist',
  'bff/playground/dist',
  'web/build/client',
  ...['node', 'run', 'supervisor', 'environment', 'start-release'].map((name) => `scripts/${name}.mjs`),
  'LICENSE',
];
const COMMANDS = ['admin', 'backup', 'restore', 'move'];
const DEPLOY = join(root, 'scripts/deploy');
const MIGRATIONS = 'core-api/dist/platform/database/migrations';

checkNode();
const given = process.argv[2];
if (!given) fail('Uso: npm run release -- PASTA');
// npm starts this program at the root of the clone, from any folder.
const target = resolve(process.env.INIT_CWD ?? '.', given);
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target}: a pasta não está vazia.`);
if (!relative(root, target).startsWith('..')) fail(`${target}: a pasta fica dentro do repositório.`);
await ensureBuilt();
// Readable by all users, whatever the umask.
process.umask(0o022);

/** Paths of the packages that workspaces need at run time, as npm lists them. */
function listProductionPackages(...workspaces) {
  const args = ['ls', '--all', '--parseable', '--omit=dev', ...workspaces.flatMap((name) => ['--workspace', name])];
  const listed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 24 });
  return listed.split('\n').flatMap((path) => {
    const below = relative(root, path);
    return below.includes(`node_modules${sep}`) && !below.includes(`node_modules${sep}@studio`) ? [below] : [];
  });
}

/** Types and source maps are not needed at run time. Nested packages are copied separately. */
function copy(path) {
  const from = join(root, path);
  const isNeeded = (file) => {
    const below = relative(from, file);
    return below !== 'node_modules' && !/\.(map|d\.[cm]?ts)$/.test(below);
  };
  cpSync(from, join(target, path), { recursive: true, dereference: true, filter: isNeeded });
}

/**
 * The packages of the release as CycloneDX, also those that are bundled into the web build. `npm sbom --omit dev`
 * leaves out packages that any workspace also needs for development, so the whole list is filtered here.
 */
function createBillOfMaterials() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const bill = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }));
  const needed = new Set(
    listProductionPackages('core-api', 'bff', 'web').map((path) => {
      const { name, version: number } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
      return `${name}@${number}`;
    }),
  );
  const { metadata } = bill;
  return {
    ...bill,
    // npm names it after the folder of the clone.
    metadata: { ...metadata, component: { ...metadata.component, name: 'studio-console' } },
    components: bill.components.filter((component) => needed.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => needed.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => needed.has(other)) })),
  };
}

/** The version of package.json, with the commit if git is available. */
function readVersion() {
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
for (const path of [...PROGRAMS, ...listProductionPackages('core-api', 'bff')]) copy(path);
const versionName = readVersion();
writeFileSync(join(target, 'VERSION'), `${versionName}\n`);
writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(createBillOfMaterials(), null, 2)}\n`);
writeFileSync(join(target, 'start.mjs'), `import './scripts/start-release.mjs';\n`);
for (const command of COMMANDS) {
  writeFileSync(join(target, `${command}.mjs`), `import './core-api/dist/bin/${command}.js';\n`);
}

const schema = readdirSync(join(root, MIGRATIONS))
  .filter((name) => /^\d{13}-.*\.js$/.test(name))
  .sort()
  .at(-1)
  ?.replace(/\.js$/, '');
const table = /\| variable \| default \|[\s\S]*?\n(?=\n|$)/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[0];
cpSync(DEPLOY, join(target, 'deploy'), { recursive: true, filter: (path) => !path.endsWith('INSTALL.md') });
const manual = readFileSync(join(DEPLOY, 'INSTALL.md'), 'utf8')
  .replaceAll('{VERSION}', versionName)
  .replaceAll('{SCHEMA}', schema)
  .replace('{VARIABLES}\n', () => table);
writeFileSync(join(target, 'INSTALL.md'), manual);
process.stdout.write(`${target}: versão ${versionName}. Como instalar: INSTALL.md\n`);
