/**
 * `npm run release -- DIR` creates a release: a folder with compiled code, the web build, production packages, units and
 * INSTALL.md. A production machine needs only this folder and Node. Nothing writes into the folder at run time.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { ensureBuilt, root } from './setup/setup.mjs';
import { checkNode, fail } from './supervisor/node.mjs';

/** Files and folders of the clone that a release contains. */
const COPIED_PATHS = [
  'schema.graphql',
  'core-api/package.json',
  'core-api/dist',
  'core-api/deploy.mjs',
  'core-api/common-passwords.txt',
  'bff/package.json',
  'bff/dist',
  'bff/playground/dist',
  'web/build/client',
  'scripts/supervisor',
  'LICENSE',
];
const COMMANDS = ['admin', 'backup', 'restore', 'move'];
const DEPLOY = join(root, 'scripts/deploy');
const MIGRATIONS = 'core-api/dist/platform/database/migrations';

checkNode();
const targetArgument = process.argv[2];
if (!targetArgument) fail('Uso: npm run release -- PASTA');
// npm starts this program at the root of the clone. INIT_CWD is the folder in which npm was called.
const target = resolve(process.env.INIT_CWD ?? '.', targetArgument);
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target}: a pasta não está vazia.`);
if (!relative(root, target).startsWith('..')) fail(`${target}: a pasta fica dentro do repositório.`);
await ensureBuilt();
// All users of the machine must be able to read the release, whatever the caller's umask is.
process.umask(0o022);

/** Returns the paths of the packages that workspaces need at run time, as npm lists them. */
function listProductionPackages(...workspaces) {
  const args = ['ls', '--all', '--parseable', '--omit=dev', ...workspaces.flatMap((name) => ['--workspace', name])];
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 24 });
  return output
    .split('\n')
    .map((path) => relative(root, path))
    .filter((path) => path.includes(`node_modules${sep}`) && !path.includes(`node_modules${sep}@studio`));
}

/** Copies a file or folder without types and source maps, which no program needs. Nested packages are copied separately. */
function copy(path) {
  const from = join(root, path);
  const isNeeded = (file) => {
    const innerPath = relative(from, file);
    return innerPath !== 'node_modules' && !/\.(map|d\.[cm]?ts)$/.test(innerPath);
  };
  cpSync(from, join(target, path), { recursive: true, dereference: true, filter: isNeeded });
}

/**
 * Lists the packages of the release as CycloneDX, including those that are bundled into the web build. `npm sbom --omit
 * dev` leaves out packages that any workspace also needs for development, so this function filters the whole list.
 */
function createBillOfMaterials() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const bill = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }));
  const needed = new Set(
    listProductionPackages('core-api', 'bff', 'web').map((path) => {
      const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
      return `${name}@${version}`;
    }),
  );
  const { metadata } = bill;
  return {
    ...bill,
    // npm would name the product after the folder of the clone.
    metadata: { ...metadata, component: { ...metadata.component, name: 'studio-console' } },
    components: bill.components.filter((component) => needed.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => needed.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((dependency) => needed.has(dependency)) })),
  };
}

/** Returns the version of package.json, with the commit if git is available. */
function readVersion() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  try {
    const git = (...args) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const suffix = git('status', '--porcelain').trim() === '' ? '' : '.changed';
    return `${version}+${git('rev-parse', '--short=12', 'HEAD').trim()}${suffix}`;
  } catch {
    return version;
  }
}

process.stdout.write('Montando a versão …\n');
mkdirSync(target, { recursive: true });
for (const path of [...COPIED_PATHS, ...listProductionPackages('core-api', 'bff')]) copy(path);
const versionName = readVersion();
writeFileSync(join(target, 'VERSION'), `${versionName}\n`);
writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(createBillOfMaterials(), null, 2)}\n`);
writeFileSync(join(target, 'start.mjs'), `import './scripts/supervisor/start-release.mjs';\n`);
for (const command of COMMANDS) {
  writeFileSync(join(target, `${command}.mjs`), `import './core-api/dist/bin/${command}.js';\n`);
}

const newestMigration = readdirSync(join(root, MIGRATIONS))
  .filter((name) => /^\d{13}-.*\.js$/.test(name))
  .sort()
  .at(-1)
  ?.replace(/\.js$/, '');
const table = /\| variable \| default \|[\s\S]*?\n(?=\n|$)/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[0];
cpSync(DEPLOY, join(target, 'deploy'), { recursive: true, filter: (path) => !path.endsWith('INSTALL.md') });
const manual = readFileSync(join(DEPLOY, 'INSTALL.md'), 'utf8')
  .replaceAll('{VERSION}', versionName)
  .replaceAll('{SCHEMA}', newestMigration)
  .replace('{VARIABLES}\n', () => table);
writeFileSync(join(target, 'INSTALL.md'), manual);
process.stdout.write(`${target}: versão ${versionName}. Como instalar: INSTALL.md\n`);
