/** Provides programs and root folders of Debian for a test. Nothing is installed on this machine. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Finds the path of an installed command; undefined if the command is missing. */
export const findCommand = (name) =>
  spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim() || undefined;

/** Unpacks packages without installing them. @returns the folder that contains their `usr` */
export function unpack(folder, ...packages) {
  const target = join(folder, 'unpacked');
  const downloads = join(folder, 'packages');
  mkdirSync(downloads, { recursive: true, mode: 0o777 });
  execFileSync('apt-get', ['-qq', 'download', ...packages], { cwd: downloads, stdio: ['ignore', 'ignore', 'pipe'] });
  for (const name of readdirSync(downloads)) execFileSync('dpkg-deb', ['-x', join(downloads, name), target]);
  return target;
}

/** Finds the path of a program. A missing program is downloaded with its package and unpacked into `folder`. */
export function findProgram(folder, name, packageName) {
  const installed = findCommand(name);
  if (installed) return installed;
  const usr = join(unpack(folder, packageName), 'usr');
  for (const bin of ['bin', 'sbin'])
    if (readdirSync(usr).includes(bin) && readdirSync(join(usr, bin)).includes(name)) return join(usr, bin, name);
  throw new Error(`${packageName} has no ${name}`);
}

/** Reads the distribution of this machine and the source of its packages from apt's configuration. */
function readPackageSource() {
  const format = '$(SITE) $(CODENAME)';
  const lines = execFileSync('apt-get', ['indextargets', '--format', format, 'Origin: Debian', 'Label: Debian'], {
    encoding: 'utf8',
  });
  const [site, codename] = (lines.split('\n').find((line) => !/-(updates|security)$/.test(line)) ?? '').split(' ');
  if (!site || !codename) throw new Error('this machine has no source of Debian packages');
  return { site, codename };
}

/** Creates a minimal Debian in `root`, with additional packages. */
export function bootstrap(folder, root, ...packages) {
  const { site, codename } = readPackageSource();
  const program = findProgram(folder, 'debootstrap', 'debootstrap');
  const args = ['--variant=minbase', `--include=${packages.join(',')}`, codename, root, site];
  const environment = { ...process.env, DEBOOTSTRAP_DIR: join(program, '../../share/debootstrap') };
  execFileSync(program, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
}
