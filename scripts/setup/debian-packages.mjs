/** Installs the packages of Debian that tests need in addition to the packages of npm. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Installs Debian's packages if the user is root and apt-get exists.
 * @param title text that the terminal shows during the installation
 */
export function installPackages(title, packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write(`Instalando ${title} …\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

/** Installs nginx if it is missing, or ends the process with a hint. `proxies.test.ts` needs nginx. */
export function requireNginx() {
  const nginx = '/usr/sbin/nginx';
  if (!existsSync(nginx)) installPackages('o nginx', ['nginx-light']);
  if (existsSync(nginx)) return;
  process.stderr.write('Falta o nginx: instale-o (por exemplo o pacote nginx-light).\n');
  process.exit(1);
}
