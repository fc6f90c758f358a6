/**
 * Replaces systemd, which cannot run in a folder. The class reads the units that are installed in a root folder, holds their
 * sockets, and starts each service as its unit declares: user and groups, environment file, writable paths. All other paths
 * are read-only. The class expects a socket for every service.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const STOP_MS = 15_000;
const RESTART_MS = 1_000;
const EX_CONFIG = 78;

/** Reads the settings of a unit. Each setting is a list, because most settings may be repeated. */
function readUnit(file) {
  const settings = {};
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (name) settings[name] = [...(settings[name] ?? []), value];
  }
  return settings;
}

const quoteForShell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A shell script that confines a service and then becomes the service, so the process id of the script stays the same. */
const CONFINE = `
set -e
mount --make-rprivate /
mount --bind "$root" "$root"
for path in $writable; do mount --bind "$root$path" "$root$path"; done
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
for path in $hidden; do mount -t tmpfs -o mode=000 tmpfs "$root$path"; done
umask "$mask"
exec chroot --userspec="$account" --groups="$groups" "$root" \\
  /bin/sh -c 'directory=$1; shift; cd "$directory"; export LISTEN_PID=$$; exec "$@"' sh "$directory" "$@"
`;

/** A shell program that holds a socket as its descriptor 3, never accepts, and runs one service after another. */
const HOLD = `while read -r script; do sh -c 'echo "started $$"; exec sh "$1"' sh "$script" </dev/null; echo "ended $?"; done`;

export class Units {
  /** @param folder for scripts and for the output of the services */
  constructor(root, folder) {
    this.root = root;
    this.folder = folder;
    this.log = join(folder, 'services.log');
    this.heldSockets = new Map();
    this.desiredServices = new Set();
  }

  load(name) {
    const folder = join(this.root, 'etc/systemd/system');
    const settings = readUnit(join(folder, name));
    const sharedFolder = join(folder, `${name.split('-')[0]}-.${name.split('.').at(-1)}.d`);
    for (const file of existsSync(sharedFolder) ? readdirSync(sharedFolder) : []) {
      for (const [key, values] of Object.entries(readUnit(join(sharedFolder, file))))
        settings[key] = [...values, ...(settings[key] ?? [])];
    }
    return settings;
  }

  async hold(service) {
    if (this.heldSockets.has(service)) return;
    const { ListenStream } = this.load(service.replace('.service', '.socket'));
    const [, host, port] = /^(.*):(\d+)$/.exec(ListenStream[0]);
    const listener = createServer().listen({ host, port: Number(port), backlog: 4096 });
    await once(listener, 'listening');
    const holder = spawn('sh', ['-c', HOLD], {
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'inherit', Object(listener)._handle.fd],
    });
    listener.close();
    const socketState = { holder, pid: 0, code: undefined };
    this.heldSockets.set(service, socketState);
    createInterface({ input: holder.stdout }).on('line', (line) => {
      const [event, number] = line.split(' ');
      if (event === 'started') socketState.pid = Number(number);
      else {
        Object.assign(socketState, { pid: 0, code: Number(number) });
        holder.emit('ended');
        if (this.desiredServices.has(service) && socketState.code !== EX_CONFIG)
          setTimeout(
            () => this.desiredServices.has(service) && socketState.pid === 0 && this.launch(service),
            RESTART_MS,
          );
      }
    });
  }

  /**
   * Creates the folders of a unit's Unix sockets. The service binds these sockets itself, because Node, unlike systemd,
   * removes the file of a socket that it passes on.
   */
  prepareSocketFolders(service, user) {
    const [, uid, gid] = new RegExp(`^${user}:x:(\\d+):(\\d+)`, 'm').exec(
      readFileSync(join(this.root, 'etc/passwd'), 'utf8'),
    );
    const { ListenStream } = this.load(service.replace('.service', '.socket'));
    const folders = ListenStream.filter((address) => address.startsWith('/')).map((path) => dirname(path));
    for (const folder of folders) {
      mkdirSync(join(this.root, folder), { recursive: true });
      chownSync(join(this.root, folder), Number(uid), Number(gid));
    }
    return folders;
  }

  launch(service) {
    const unit = this.load(service);
    const [group] = unit.Group;
    const sockets = this.prepareSocketFolders(service, unit.User[0]);
    const shell = {
      root: this.root,
      writable: [...(unit.ReadWritePaths ?? []), ...sockets].join(' '),
      hidden: (unit.InaccessiblePaths ?? []).map((path) => path.replace(/^-/, '')).join(' '),
      account: `${unit.User[0]}:${group}`,
      groups: (unit.SupplementaryGroups ?? [group]).join(','),
      directory: unit.WorkingDirectory[0],
      mask: unit.UMask.at(-1),
    };
    const file = readFileSync(join(this.root, unit.EnvironmentFile[0]), 'utf8');
    const variables = [...(unit.Environment ?? []), ...file.split('\n'), 'LISTEN_FDS=1']
      .map((line) => /^([A-Z_]+)=(.*)$/.exec(line.trim()))
      .flatMap((pair) => (pair ? [`export ${pair[1]}=${quoteForShell(pair[2])}`] : []));
    const script = join(this.folder, `${service}.sh`);
    const lines = [
      `exec >>${quoteForShell(this.log)} 2>&1`,
      'export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...variables,
      `exec env ${Object.entries(shell)
        .map(([name, value]) => `${name}=${quoteForShell(value)}`)
        .join(' ')} unshare --mount sh -c ${quoteForShell(CONFINE)} sh ${unit.ExecStart[0]}`,
    ];
    writeFileSync(script, `${lines.join('\n')}\n`);
    this.heldSockets.get(service).holder.stdin.write(`${script}\n`);
  }

  async start(service) {
    this.desiredServices.add(service);
    await this.hold(service);
    if (this.heldSockets.get(service).pid === 0) this.launch(service);
  }

  async stop(service) {
    this.desiredServices.delete(service);
    const socketState = this.heldSockets.get(service);
    if (!socketState?.pid) return;
    const { pid } = socketState;
    const ended = once(socketState.holder, 'ended');
    process.kill(pid, 'SIGTERM');
    const force = setTimeout(() => process.kill(pid, 'SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(force);
  }

  /** Closes the socket of a stopped service. */
  async release(service) {
    const socketState = this.heldSockets.get(service);
    if (!socketState) return;
    this.heldSockets.delete(service);
    const ended = once(socketState.holder, 'exit');
    socketState.holder.stdin.end();
    await ended;
  }

  /** Implements those commands of `systemctl` that INSTALL.md uses. @param {string[]} args */
  async systemctl(args) {
    const [verb, ...verbArgs] = args;
    if (verb === 'daemon-reload') return;
    const units = verbArgs
      .filter((word) => !word.startsWith('-'))
      .map((word) => (word.includes('.') ? word : `${word}.service`))
      .flatMap((name) =>
        name.endsWith('.target') ? this.load(name).Wants.flatMap((names) => names.split(' ')) : name,
      );
    // The list has the order of dependencies.
    const services = ['studio-core.service', 'studio-bff.service', 'studio-edge.service'].filter((name) =>
      units.includes(name),
    );
    if (!['enable', 'start', 'stop', 'restart'].includes(verb)) throw new Error(`systemctl ${verb} is not known here`);
    if (verb === 'stop' || verb === 'restart') await Promise.all(services.map((name) => this.stop(name)));
    if (verb === 'stop') {
      for (const name of units.filter((unit) => unit.endsWith('.socket')))
        await this.release(name.replace('.socket', '.service'));
    } else for (const name of services) await this.start(name);
  }

  async end() {
    for (const service of [...this.heldSockets.keys()]) {
      await this.stop(service);
      await this.release(service);
    }
  }
}
