/**
 * Replaces Docker's engine and Compose, which need more rights than a namespace gives. The class reads compose.yaml and
 * `.env`, and starts each service as compose.yaml declares: image, user and groups, capabilities, read-only root, tmpfs,
 * volumes, health check. Volumes lose the set-group-ID bit of their root, as with Docker. The file exceeds 250 lines because
 * its methods, one for each command of Docker, call each other.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';

const POLL_INTERVAL_MS = 100;
/** Time limit for the first successful health check, with some time for a busy machine. */
const HEALTHY_MS = 180_000;

/**
 * Replaces variables as Compose does: `${NAME}`, `${NAME:-default}` (also nested) and `${NAME:?message}`. `$$` becomes a
 * dollar sign.
 */
function interpolate(text, variables) {
  const innermost = /(?<!\$)\$\{(\w+)(?::([-?])([^${}]*))?\}/;
  let replaced = text;
  for (let match = innermost.exec(replaced); match; match = innermost.exec(replaced)) {
    const [whole, name, kind, argument = ''] = match;
    if (kind === '?' && !variables[name]) throw new Error(`required variable ${name} is missing: ${argument}`);
    replaced = replaced.replace(whole, () => variables[name] || (kind === '-' ? argument : ''));
  }
  return replaced.replaceAll('$$', '$');
}

const quoteForShell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A shell script that mounts the root of a container. The script then becomes the service, the first process of the
 * container.
 */
const CONFINE = `
set -e
mount --make-rprivate /
mount --bind "$root" "$root"
while read -r from to; do
  [ -z "$from" ] || mount --bind "$from" "$root$to"
done < "$mounts"
mount -o remount,bind,ro "$root"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
cd /
exec chroot "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$directory" $confine "$@"
`;

/** Waits for the end of a process. @returns its exit code and its output */
async function waitForExit(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}

/** @typedef {{ root: string, config: any }} Image */

export class Containers {
  /**
   * @param {string} folder for volumes, scripts and the output of the services
   * @param {Map<string, Image>} builtImages images by the folder of the release that they were built from
   * @param {Map<string, Image>} images by name
   */
  constructor(folder, builtImages, images) {
    this.folder = folder;
    this.builtImages = builtImages;
    this.images = images;
    this.log = join(folder, 'services.log');
    this.running = new Map();
  }

  /** Loads the enabled services of a project folder, with all variables replaced. */
  loadServices(project) {
    const variables = { ...parseEnv(readFileSync(join(project, '.env'), 'utf8')) };
    const { services } = parse(readFileSync(join(project, 'compose.yaml'), 'utf8'), { merge: true });
    const profiles = (variables.COMPOSE_PROFILES ?? '').split(',');
    const enabled = Object.entries(services).filter(
      ([, { profiles: ownProfiles }]) => !ownProfiles || ownProfiles.some((profile) => profiles.includes(profile)),
    );
    return Object.fromEntries(
      enabled.map(([name, service]) => {
        const environment = Object.entries(service.environment ?? {}).flatMap(([variable, value]) => {
          if (value === null) return variables[variable] === undefined ? [] : [[variable, variables[variable]]];
          return [[variable, interpolate(String(value), variables)]];
        });
        const values = JSON.parse(JSON.stringify(service), (_key, value) =>
          typeof value === 'string' ? interpolate(value, variables) : value,
        );
        return [name, { ...values, environment: Object.fromEntries(environment) }];
      }),
    );
  }

  /** Creates a volume with the files that the image has at `path`, unless it exists. @returns the folder of the volume */
  createVolume(name, image, path) {
    const folder = join(this.folder, 'volumes', name);
    if (existsSync(folder)) return folder;
    const source = join(image.root, path);
    mkdirSync(join(folder, '..'), { recursive: true });
    if (!existsSync(source)) mkdirSync(folder);
    else {
      execFileSync('cp', ['-a', source, folder]);
      chmodSync(folder, statSync(folder).mode & 0o777);
    }
    return folder;
  }

  /**
   * Creates the mounts of a service's container.
   * @returns the command line and environment of the service, and the variables of `CONFINE`
   */
  prepare(name, service, project) {
    const image = this.images.get(service.image);
    if (!image) throw new Error(`no image ${service.image}`);
    const mounts = (service.volumes ?? []).map((text) => {
      const [from, to] = text.split(':');
      mkdirSync(join(image.root, to, '..'), { recursive: true });
      const source = from.startsWith('.') ? resolve(project, from) : this.createVolume(from, image, to);
      if (statSync(source).isDirectory()) mkdirSync(join(image.root, to), { recursive: true });
      else writeFileSync(join(image.root, to), '');
      return [source, to];
    });
    for (const file of ['/etc/hosts', '/etc/resolv.conf']) {
      writeFileSync(join(image.root, file), '');
      mounts.push([file, file]);
    }
    const mountsFile = join(this.folder, `${name}.mounts`);
    writeFileSync(mountsFile, mounts.map((mount) => `${mount.join(' ')}\n`).join(''));
    const [user, group = user] = (service.user ?? image.config.User ?? '0').split(':');
    const groups = service.group_add?.length ? `--groups=${service.group_add.join(',')}` : '--clear-groups';
    const keptCapabilities = (service.cap_add ?? []).map((capability) => `,+${capability.toLowerCase()}`).join('');
    const isConfined = service.read_only && service.cap_drop?.includes('ALL') && service.security_opt?.length === 1;
    if (!isConfined || service.network_mode !== 'host') throw new Error(`${name} is not confined`);
    const confine = [
      ...['setpriv', `--reuid=${user || 0}`, `--regid=${group || 0}`, groups, '--no-new-privs'],
      ...[`--bounding-set=-all${keptCapabilities}`, '--inh-caps=-all', '--ambient-caps=-all'],
    ].join(' ');
    const command = [...(image.config.Entrypoint ?? []), ...(service.command ?? image.config.Cmd)];
    const environment = {
      ...Object.fromEntries((image.config.Env ?? []).map((line) => /^([^=]*)=([\s\S]*)$/.exec(line)?.slice(1) ?? [])),
      ...service.environment,
    };
    const shell = { root: image.root, mounts: mountsFile, directory: image.config.WorkingDir || '/', confine };
    return { command, environment, shell };
  }

  launch(name, service, project, command) {
    const prepared = this.prepare(name, service, project);
    const variables = Object.entries({ ...prepared.environment, ...prepared.shell });
    const script = join(this.folder, `${name}.sh`);
    writeFileSync(
      script,
      `${variables.map(([key, value]) => `export ${key}=${quoteForShell(value)}`).join('\n')}\n${CONFINE}`,
    );
    const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];
    return spawn('unshare', [...namespaces, 'sh', script, ...(command ?? prepared.command)], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Finds the process id, on the host, of a container's first process. It is undefined until the process has started. */
  findPid(name) {
    const { child } = this.running.get(name);
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    return existsSync(children) ? Number(readFileSync(children, 'utf8').split(' ')[0]) || undefined : undefined;
  }

  async start(name, service, project) {
    const child = this.launch(name, service, project);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => appendFileSync(this.log, `${text}`));
    const container = { child, digest: this.computeDigest(service), service, isStopping: false };
    this.running.set(name, container);
    child.once('exit', (code) => {
      if (container.isStopping || this.running.get(name) !== container) return;
      appendFileSync(this.log, `${name} ended: ${code}\n`);
      setTimeout(() => !container.isStopping && this.start(name, service, project), 1_000);
    });
  }

  async stop(name) {
    const container = this.running.get(name);
    if (!container) return;
    container.isStopping = true;
    const pid = this.findPid(name);
    this.running.delete(name);
    if (container.child.exitCode !== null || container.child.signalCode !== null) return;
    const exit = once(container.child, 'exit');
    if (pid) process.kill(pid, 'SIGTERM');
    const force = setTimeout(() => container.child.kill('SIGKILL'), 15_000);
    await exit;
    clearTimeout(force);
  }

  /** Computes a digest that changes when Compose would recreate the container. */
  computeDigest(service) {
    const { root } = this.images.get(service.image) ?? {};
    return createHash('sha256')
      .update(JSON.stringify([root, service]))
      .digest('hex');
  }

  /** Runs a command in a running container, as the user of its service. */
  async exec(name, command) {
    const { service } = this.running.get(name);
    const pid = this.findPid(name);
    if (pid === undefined) return { code: 1, output: `${name} is not running` };
    const { environment, shell } = this.prepare(name, service, '/');
    const namespaceOptions = ['--target', String(pid), '--mount', '--pid', '--ipc', '--uts'];
    const innerCommand = [
      '/bin/sh',
      '-c',
      'cd "$0" && exec "$@"',
      shell.directory,
      ...shell.confine.split(' '),
      ...command,
    ];
    const child = spawn('nsenter', [...namespaceOptions, 'chroot', shell.root, ...innerCommand], { env: environment });
    return waitForExit(child);
  }

  async isHealthy(name) {
    const { service } = this.running.get(name);
    return (await this.exec(name, service.healthcheck.test.slice(1))).code === 0;
  }

  async up(project) {
    const services = this.loadServices(project);
    const order = [];
    const visit = (name) => {
      if (order.includes(name)) return;
      for (const dependency of Object.keys(services[name].depends_on ?? {})) visit(dependency);
      order.push(name);
    };
    Object.keys(services).forEach(visit);
    // Compose creates all containers, and with them the volumes, before it starts the first one.
    for (const name of order) this.prepare(name, services[name], project);
    for (const name of order) {
      const service = services[name];
      for (const dependency of Object.keys(service.depends_on ?? {})) {
        const end = Date.now() + HEALTHY_MS;
        while (!(await this.isHealthy(dependency))) {
          if (Date.now() > end) throw new Error(`dependency ${dependency} is unhealthy`);
          await sleep(POLL_INTERVAL_MS);
        }
      }
      if (this.running.get(name)?.digest === this.computeDigest(service)) continue;
      await this.stop(name);
      await this.start(name, service, project);
    }
    return order;
  }

  /** Runs a `docker` command that install.sh or docs/upgrades.md uses. @returns the output @throws if the command fails */
  async docker(args, project) {
    const [command, ...commandArgs] = args;
    if (command === 'info') return '';
    if (command === 'build') return this.build(commandArgs);
    if (command !== 'compose') throw new Error(`docker ${command} is not known here`);
    // Options after the name of the service belong to its command.
    const [verb, ...verbArgs] = commandArgs;
    const nameIndex = verbArgs.findIndex((word) => !word.startsWith('-'));
    const [name, ...innerCommand] = nameIndex < 0 ? [] : verbArgs.slice(nameIndex);
    if (verb === 'version') return '2';
    if (verb === 'ps') return [...this.running.keys()].join('\n');
    if (verb === 'up') return (await this.up(project)).join('\n');
    if (verb === 'restart') {
      await this.stop(name);
      await this.start(name, this.loadServices(project)[name], project);
      return '';
    }
    if (verb === 'stop') {
      await Promise.all([...this.running.keys()].map((running) => this.stop(running)));
      return '';
    }
    if (verb === 'exec') {
      const { code, output } = await this.exec(name, innerCommand);
      if (code !== 0) throw new Error(output);
      return output;
    }
    if (verb === 'run') {
      const { code, output } = await waitForExit(
        this.launch(`${name}-run`, this.loadServices(project)[name], project, innerCommand),
      );
      if (code !== 0) throw new Error(output);
      return output;
    }
    throw new Error(`docker compose ${verb} ${innerCommand.join(' ')} is not known here`);
  }

  /** Tags the image that was built from a release. */
  build(args) {
    const image = this.builtImages.get(args.at(-1));
    if (!image) throw new Error(`nothing was built from ${args.at(-1)}`);
    this.images.set(args[args.indexOf('--tag') + 1], image);
    return '';
  }

  async end() {
    await Promise.all([...this.running.keys()].map((name) => this.stop(name)));
  }
}

/** Unpacks an archive of `docker save` or of build.sh. @returns the image's root and configuration */
export function unpackImage(archive, root) {
  const parts = `${root}.parts`;
  for (const folder of [parts, root]) mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xf', archive, '-C', parts]);
  const [manifest] = JSON.parse(readFileSync(join(parts, 'manifest.json'), 'utf8'));
  for (const layer of manifest.Layers) execFileSync('tar', ['-xpf', join(parts, layer), '-C', root, '--numeric-owner']);
  const { config } = JSON.parse(readFileSync(join(parts, manifest.Config), 'utf8'));
  return { root, config };
}

/** Copies an image into another folder. */
export function copyImage({ root, config }, target) {
  execFileSync('cp', ['-a', root, target]);
  return { root: target, config };
}
