/**
 * Starts a release in unusual environments: IPv6 only, several versions of Node, a path with blanks, no network, ports
 * in use, privileged ports, a folder of another user. Needs root. Argument: the folder of an existing release.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root as clone } from '../setup/setup.mjs';
import { fail } from '../supervisor/node.mjs';
import { findFreePorts, Program } from '../testing/harness.mjs';
import { finish, ok } from './support/results.mjs';

/** An unused user id of this machine. */
const USER = 61_235;
/** Versions of npm's package `node`, which contains Node itself. */
const SUPPORTED_VERSIONS = ['24', '26'];
const OLD_VERSION = '18';
/** Exit code of a program with an invalid configuration (sysexits.h). */
const EX_CONFIG = 78;

if (process.getuid() !== 0) fail('Precisa de root.');
const folder = mkdtempSync(join(tmpdir(), 'system-test-starts-'));
chmodSync(folder, 0o755);
const release = join(folder, 'a path with blanks', 'v1');
if (process.argv[2]) cpSync(process.argv[2], release, { recursive: true });
else
  execFileSync(process.execPath, [join(clone, 'scripts/release.mjs'), release], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** Installs a version of Node from npm. @returns the path of the program */
function installNode(version) {
  const prefix = join(folder, `node-${version}`);
  mkdirSync(prefix);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', prefix, `node@${version}`], {
    stdio: 'ignore',
  });
  return join(prefix, 'node_modules/node/bin/node');
}

let environmentCount = 0;
/**
 * Creates the variables of a start on free ports with a new data folder.
 * @returns {Promise<Record<string, string>>}
 */
async function createEnvironment(variables = {}) {
  environmentCount += 1;
  const data = join(folder, `data-${environmentCount}`);
  mkdirSync(data, { mode: 0o700 });
  const [PORT, BFF_PORT, CORE_PORT, EDGE_ADMIN_PORT] = await findFreePorts(4);
  const ports = { PORT, BFF_PORT, CORE_PORT, EDGE_ADMIN_PORT };
  const texts = Object.fromEntries(Object.entries(ports).map(([name, value]) => [name, String(value)]));
  return { ...texts, DATA_DIR: data, HOST: '127.0.0.1', EDGE_WORKERS: '1', LOG_LEVEL: 'error', ...variables };
}

const requestPage = (host, port) =>
  new Promise((resolve) => {
    request({ host, port, path: '/login', headers: { Host: 'localhost' } }, (response) =>
      resolve(response.resume().statusCode),
    )
      .once('error', (error) => resolve(error.message))
      .end();
  });

/** Starts the release and expects it to become ready. @param wrap a command that runs Node, such as `unshare` */
async function expectStart(description, environment, { command = process.execPath, wrap = [] } = {}) {
  const [first, ...args] = [...wrap, command, join(release, 'start.mjs')];
  const program = new Program('release', args, { command: first, environment, cwd: '/' });
  const startedAt = performance.now();
  try {
    await program.waitForOutput('Pronto');
    ok(true, description, `${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    return program;
  } catch {
    ok(false, description, program.output.slice(-800));
    return undefined;
  }
}

/** Starts the release and expects it to end with one line that matches `pattern`. */
function expectRefusal(
  description,
  environment,
  pattern,
  { command = process.execPath, wrap = [], code = EX_CONFIG } = {},
) {
  const [first, ...args] = [...wrap, command, join(release, 'start.mjs')];
  const { status, stdout, stderr } = spawnSync(first, args, {
    env: { PATH: process.env.PATH, ...environment },
    cwd: '/',
    encoding: 'utf8',
    timeout: 60_000,
  });
  const line = stderr.trim();
  // Log lines are not messages for a person.
  const printedLines = stdout.split('\n').filter((text) => text !== '' && !text.startsWith('{'));
  ok(
    status === code && pattern.test(line) && !line.includes('\n') && printedLines.length === 0,
    description,
    `${line || stdout} (${status})`,
  );
}

process.stdout.write('Node\n');
for (const supportedVersion of SUPPORTED_VERSIONS) {
  const command = installNode(supportedVersion);
  const version = execFileSync(command, ['--version'], { encoding: 'utf8' }).trim();
  const running = await expectStart(
    `Node ${version} starts the release in a path with blanks`,
    await createEnvironment(),
    { command },
  );
  await running?.end();
}
const oldNode = installNode(OLD_VERSION);
expectRefusal(
  `Node ${execFileSync(oldNode, ['--version'], { encoding: 'utf8' }).trim()} is refused`,
  await createEnvironment(),
  /^É preciso o Node\.js 20\.19 ou mais novo; este é o 18\./,
  { command: oldNode, code: 1 },
);
for (const command of ['start', 'dev', 'test', 'system-test', 'release', 'build']) {
  const { status, stderr } = spawnSync(oldNode, [join(clone, `scripts/${command}.mjs`)], { encoding: 'utf8' });
  ok(
    status === 1 && /^É preciso o Node\.js [^\n]*\n$/.test(stderr),
    `npm run ${command} refuses the old Node`,
    stderr.split('\n')[0],
  );
}

process.stdout.write('IPv6 only\n');
const loopbackHosts = { HOST: '::1', CORE_HOST: '::1', BFF_HOST: '::1', EDGE_ADMIN_HOST: '::1' };
const environment = await createEnvironment(loopbackHosts);
const program = await expectStart('the release starts with ::1 as every host', {
  ...environment,
  CORE_URL: `http://[::1]:${environment.CORE_PORT}`,
});
if (program) {
  const status = await requestPage('::1', Number(environment.PORT));
  ok(status === 200, 'the console is served', String(status));
  const password = readFileSync(join(environment.DATA_DIR, 'first-password'), 'utf8').trim();
  const response = await fetch(`http://[::1]:${environment.PORT}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });
  ok(response.status === 200, 'a login with the first password succeeds', String(response.status));
  const ipv4Result = await fetch(`http://127.0.0.1:${environment.CORE_PORT}/readyz`).then(
    ({ status: code }) => String(code),
    () => 'refused',
  );
  ok(ipv4Result === 'refused', 'nothing listens on IPv4', ipv4Result);
  await program.end();
}

process.stdout.write('No network\n');
const offline = await createEnvironment();
const withoutNetwork = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
for (const description of ['a first start needs no network', 'a second start needs no network']) {
  const program = await expectStart(description, offline, { wrap: withoutNetwork });
  await program?.end();
}

process.stdout.write('Ports\n');
for (const variable of ['PORT', 'BFF_PORT', 'CORE_PORT', 'EDGE_ADMIN_PORT']) {
  const environmentWithPort = await createEnvironment();
  const listener = spawn(
    process.execPath,
    [
      '-e',
      `require('net').createServer().listen(${environmentWithPort[variable]}, '127.0.0.1', () => console.log('listening'))`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(listener.stdout, 'data');
  expectRefusal(
    `a start is refused if the port of ${variable} is taken`,
    environmentWithPort,
    new RegExp(`^${variable}: .*já está em uso`),
  );
  listener.kill();
}
const asOtherUser = [
  'setpriv',
  '--reuid',
  String(USER),
  '--regid',
  String(USER),
  '--clear-groups',
  '--bounding-set',
  '-all',
  '--inh-caps',
  '-all',
];
for (const [variable, port] of [
  ['PORT', '80'],
  ['BFF_PORT', '81'],
  ['CORE_PORT', '82'],
  ['EDGE_ADMIN_PORT', '83'],
]) {
  const privileged = await createEnvironment({ [variable]: port });
  spawnSync('chown', [String(USER), privileged.DATA_DIR]);
  // The start runs in a new network namespace, because this machine may permit low ports to every user.
  const wrap = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...asOtherUser];
  expectRefusal(
    `a start is refused if the port of ${variable} needs privileges`,
    privileged,
    new RegExp(`^${variable}: sem permissão`),
    { wrap },
  );
}

process.stdout.write('Folders\n');
expectRefusal(
  'a start is refused if DATA_DIR belongs to another user',
  await createEnvironment(),
  /^DATA_DIR: sem permissão/,
  {
    wrap: asOtherUser,
  },
);
expectRefusal(
  'a start is refused if DATA_DIR is not set',
  { ...(await createEnvironment()), DATA_DIR: '' },
  /^DATA_DIR: diga a pasta/,
);
const insideRelease = { ...(await createEnvironment()), DATA_DIR: join(release, 'data') };
expectRefusal('a start is refused if DATA_DIR is inside the release', insideRelease, /^DATA_DIR: diga a pasta/);
symlinkSync('/nowhere', join(folder, 'broken'));
expectRefusal(
  'a start is refused if DATA_DIR is a broken link',
  { ...(await createEnvironment()), DATA_DIR: join(folder, 'broken') },
  /^DATA_DIR: /,
);

rmSync(folder, { recursive: true, force: true });
finish();
