/**
 * Tests the image and install.sh on an empty server: confinement, an upgrade under traffic, the rollback, a full disk.
 * The image is built without a daemon. It runs in namespaces as compose.yaml declares, behind Caddy with certificates
 * of pebble. Needs root, buildah and debootstrap. Arguments: folder of a release, archive of its image.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { root as clone } from '../setup/setup.mjs';
import { getPort, waitFor } from '../testing/harness.mjs';
import { Containers, copyImage, unpackImage } from './support/containers.mjs';
import { findCommand, findProgram } from './support/debian.mjs';
import { isolate } from './support/isolate.mjs';
import { readCommandsBelow } from './support/manual.mjs';
import { PEBBLE, preparePebble, startPebble } from './support/pebble.mjs';
import { sendRequest } from './support/request.mjs';
import { finish, ok } from './support/results.mjs';

const { startDns } = createRequire(import.meta.url)('../../core-api/src/testing/dns.ts');

const DOMAIN = 'estudio.test';
const SERVER = '203.0.113.7';
const VALID_DAYS = 90;
const DISK = '300m';
/** Caddy holds a request for this time while the edge starts (`lb_try_duration` of the Caddyfile). */
const CADDY_HOLD_MS = 15_000;
/** Time limit for a container to become healthy. */
const HEALTHY_S = 180;
const USERS = { core: 10_001, bff: 10_002, edge: 10_003 };

const folder = await isolate(import.meta.url, async (folder) => {
  const [, , releaseArgument, archiveArgument] = process.argv;
  const release = join(folder, 'first');
  const archive = archiveArgument ?? join(folder, 'image.tar');
  if (releaseArgument) execFileSync('cp', ['-a', releaseArgument, release]);
  else execFileSync(process.execPath, [join(clone, 'scripts/release.mjs'), release], { stdio: 'inherit' });
  const startedAt = performance.now();
  if (!archiveArgument) {
    execFileSync('sh', [join(release, 'deploy/container/build.sh'), archive], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    process.stdout.write(`     built in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
  }
  const image = unpackImage(archive, `${release}.image`);
  writeFileSync(join(folder, 'image.json'), JSON.stringify(image));
  const programs = {
    pebble: await preparePebble(folder),
    caddy: findProgram(join(folder, 'packages'), 'caddy', 'caddy'),
  };
  writeFileSync(join(folder, 'programs.json'), JSON.stringify(programs));
});
const installation = join(folder, 'studio');
const programs = JSON.parse(readFileSync(join(folder, 'programs.json'), 'utf8'));
const firstImage = JSON.parse(readFileSync(join(folder, 'image.json'), 'utf8'));

process.stdout.write('Server\n');
execFileSync('ip', ['address', 'add', `${SERVER}/32`, 'dev', 'lo']);
const hosts = join(folder, 'hosts');
writeFileSync(hosts, `127.0.0.1 localhost\n${SERVER} ${DOMAIN} api.${DOMAIN}\n`);
execFileSync('mount', ['--bind', hosts, '/etc/hosts']);
const disk = join(folder, 'volumes');
mkdirSync(disk);
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk]);
const dns = await startDns({ [`A ${DOMAIN}`]: [SERVER], [`A loja.${DOMAIN}`]: [SERVER] });
const pebble = await startPebble(folder, programs.pebble, dns.address, VALID_DAYS);

// This image replaces Caddy's official image. In both, root runs Caddy, which may bind low ports and has two volumes.
const caddyRoot = join(folder, 'caddy.image');
const CADDYFILE_IN_IMAGE = '/etc/caddy/Caddyfile';
const caddy = {
  ...copyImage(firstImage, caddyRoot),
  config: {
    Env: ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'XDG_CONFIG_HOME=/config', 'XDG_DATA_HOME=/data'],
    Cmd: ['caddy', 'run', '--config', CADDYFILE_IN_IMAGE, '--adapter', 'caddyfile'],
  },
};
for (const path of ['data', 'run/studio']) rmSync(join(caddyRoot, path), { recursive: true });
copyFileSync(programs.caddy, join(caddyRoot, 'usr/bin/caddy'));
copyFileSync(join(folder, 'authority.pem'), join(caddyRoot, 'etc/authority.pem'));
if (findCommand('setcap')) execFileSync('setcap', ['cap_net_bind_service=+ep', join(caddyRoot, 'usr/bin/caddy')]);
const acme = `email {$ACME_EMAIL}\n\tacme_ca ${PEBBLE}\n\tacme_ca_root /etc/authority.pem\n\tskip_install_trust`;
const caddyfile = join(folder, 'first/deploy/container/Caddyfile');
writeFileSync(caddyfile, readFileSync(caddyfile, 'utf8').replace('email {$ACME_EMAIL}', acme));

// The second version has a migration of its own.
const secondImage = copyImage(firstImage, join(folder, 'second.image'));
execFileSync('cp', ['-a', join(folder, 'first'), join(folder, 'second')]);
for (const path of ['second/VERSION', 'second.image/opt/studio/VERSION']) writeFileSync(join(folder, path), '91.0.0\n');
appendFileSync(
  join(secondImage.root, 'opt/studio/core-api/dist/platform/database/migrations/index.js'),
  `\nexports.migrations.push(class Later1900000000000 {
  name = 'Later1900000000000';
  async up(runner) {
    await runner.query('CREATE TABLE later (id integer PRIMARY KEY)');
  }
  async down() {}
});\n`,
);

const images = new Map([
  [join(folder, 'first'), firstImage],
  [join(folder, 'second'), secondImage],
]);
const containers = new Containers(folder, images, new Map([['docker.io/library/caddy:2', caddy]]));

// The `docker` of install.sh is a script that sends its arguments to this process and waits for the exit code.
const bin = join(folder, 'bin');
mkdirSync(bin);
const [requests, replies, output] = ['requests', 'replies', 'output'].map((name) => join(folder, name));
execFileSync('mkfifo', [requests, replies]);
const DOCKER = `#!/bin/sh
{ pwd; printf '%s\\n' "$@"; echo; } > ${requests}
read -r code < ${replies}
cat ${output}
exit "$code"
`;
writeFileSync(join(bin, 'docker'), DOCKER, { mode: 0o755 });
const [requestsFile, repliesFile] = [requests, replies].map((path) => openSync(path, 'r+')); // `r+` does not wait.
const calls = createReadStream('', { fd: requestsFile });
let words = [];
createInterface({ input: calls }).on('line', async (line) => {
  if (line !== '') {
    words.push(line);
    return;
  }
  const [project, ...args] = words;
  words = [];
  const { code, text } = await containers.docker(args, project).then(
    (text) => ({ code: 0, text }),
    (error) => ({ code: 1, text: error.message }),
  );
  writeFileSync(output, text === '' ? '' : `${text.trimEnd()}\n`);
  writeSync(repliesFile, `${code}\n`);
});

/** Runs a command with the environment of an administrator's shell. */
async function runInShell(cwd, ...command) {
  const child = spawn(command[0], command.slice(1), {
    cwd,
    env: { PATH: `${bin}:/usr/sbin:/usr/bin:/sbin:/bin`, STUDIO_DIR: installation },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
  const [code] = await once(child, 'close');
  return { code, text };
}
const install = (version) =>
  runInShell('/', 'sh', join(folder, version, 'deploy/container/install.sh'), DOMAIN, `ops@${DOMAIN}`);

/** Sends one request over TLS. @returns status 0 without a response */
const requestPage = (host, path, { method = 'GET', body = undefined, headers = {} } = {}) =>
  sendRequest(
    { host: SERVER, port: 443, servername: host, ca: pebble.root, path, method, headers: { Host: host, ...headers } },
    body,
  );

/** Fills the disk of the volumes. @returns a function that frees the space again */
function fillDisk() {
  const file = join(disk, 'filler');
  const descriptor = openSync(file, 'w');
  for (const size of [1 << 20, 4_096, 512]) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size, 1));
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }
  closeSync(descriptor);
  return () => rmSync(file);
}

try {
  process.stdout.write('install.sh\n');
  const portHolder = createServer().listen(80);
  await once(portHolder, 'listening');
  const refusedInstall = await install('first');
  ok(
    refusedInstall.code !== 0 && refusedInstall.text.includes('80 já está em uso'),
    'install.sh reports that port 80 is in use',
    refusedInstall.text.trim(),
  );
  ok(!existsSync(join(installation, '.env')), 'the refused install.sh writes nothing');
  portHolder.close();
  await once(portHolder, 'close');

  const startedAt = performance.now();
  const installed = await install('first');
  const seconds = (performance.now() - startedAt) / 1000;
  ok(installed.code === 0, 'one command installs', installed.code === 0 ? `${seconds.toFixed(1)} s` : installed.text);
  ok(installed.text.includes(`https://${DOMAIN}/admin`), 'install.sh prints the URL of the console');
  const mode = statSync(join(installation, '.env')).mode & 0o777;
  ok(mode === 0o600, 'only its owner can read .env', mode.toString(8));
  const passwordCommand = /docker compose exec core (.*first-password)/.exec(installed.text)?.[1] ?? '';
  const passwordOutput = await containers.exec('core', passwordCommand.split(' '));
  const password = passwordOutput.output.trim();
  ok(Boolean(password), 'install.sh prints a command that shows the first password', passwordCommand);
  const environment = readFileSync(join(installation, '.env'), 'utf8');
  const pids = ['core', 'bff', 'edge', 'caddy'].map((name) => containers.findPid(name)).join(' ');
  const secondInstall = await install('first');
  ok(
    secondInstall.code === 0 && !secondInstall.text.includes('Backup'),
    'a second run succeeds',
    secondInstall.code === 0 ? '' : secondInstall.text,
  );
  ok(readFileSync(join(installation, '.env'), 'utf8') === environment, 'a second run changes no variable');
  const pidsAfter = ['core', 'bff', 'edge', 'caddy'].map((name) => containers.findPid(name)).join(' ');
  ok(pidsAfter === pids, 'a second run restarts no container', pidsAfter === pids ? '' : `${pids} became ${pidsAfter}`);

  process.stdout.write('Confinement\n');
  for (const [name, user] of Object.entries(USERS)) {
    const status = readFileSync(`/proc/${containers.findPid(name)}/status`, 'utf8');
    const [, id] = /^Uid:\s+(\d+)/m.exec(status) ?? [];
    const capabilities = [...status.matchAll(/^Cap(?:Inh|Prm|Eff|Bnd|Amb):\s+(\w+)/gm)].map(([, bits]) => bits);
    ok(Number(id) === user, `${name} runs as ${user}`, id);
    ok(
      capabilities.every((bits) => /^0+$/.test(bits)),
      `${name} has no capability`,
      new Set(capabilities).size === 1 ? '' : capabilities.join(' '),
    );
    ok(/^NoNewPrivs:\s+1$/m.test(status), `${name} gains no privileges`);
    const writeAttempt = await containers.exec(name, [
      'sh',
      '-c',
      'echo x > /opt/studio/VERSION || echo x > /etc/x || echo x > /x',
    ]);
    ok(writeAttempt.code !== 0, `${name} cannot write the image`);
    ok((await containers.exec(name, ['sh', '-c', 'echo x > /tmp/x'])).code === 0, `${name} can write to /tmp`);
  }
  for (const secret of ['jwt.secret', 'settings.key', 'first-password']) {
    const readAttempt = await containers.exec('edge', ['cat', `/data/${secret}`]);
    ok(/Permission denied/.test(readAttempt.output), `the edge cannot read ${secret}`, readAttempt.output.trim());
  }
  const createAttempt = await containers.exec('edge', ['sh', '-c', 'echo x > /data/x']);
  ok(createAttempt.code !== 0, 'the edge cannot write outside of its own folder');
  const listAttempt = await containers.exec('bff', ['ls', '/data/studio.sqlite']);
  ok(/No such file/.test(listAttempt.output), 'the BFF has no data', listAttempt.output.trim());

  process.stdout.write('Site\n');
  const login = await requestPage(DOMAIN, '/api/login', { method: 'POST', body: { username: 'admin', password } });
  ok(login.status === 200, 'a login over https succeeds', `${login.status}`);
  const headers = { Authorization: `Bearer ${JSON.parse(login.text).token}` };
  const requestApi = async (method, path, body) => {
    const response = await requestPage(DOMAIN, `/api${path}`, { method, body, headers });
    if (response.status === 0 || response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return JSON.parse(response.text);
  };
  const upstream = createServer((incoming, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(JSON.stringify(incoming.headers).padEnd(5_000));
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  await requestApi('POST', '/subdomains', {
    subdomain: 'loja',
    description: 'x',
    type: 'proxy',
    port: getPort(upstream),
  });
  const shop = await waitFor('the subdomain with its certificate', async () => {
    const response = await requestPage(`loja.${DOMAIN}`, '/', {
      headers: { 'X-Request-Id': 'forged', 'Accept-Encoding': 'identity' },
    });
    return response.status === 200 ? response : undefined;
  });
  const forwarded = JSON.parse(shop.text);
  ok(true, 'a subdomain that leads to a port of the host is served, with a certificate of its own');
  ok(forwarded['x-forwarded-for'].startsWith(SERVER), 'the client’s address arrives', forwarded['x-forwarded-for']);
  ok(forwarded['x-request-id'] !== 'forged', 'the request id of a client is replaced');
  const compressed = await requestPage(`loja.${DOMAIN}`, '/', { headers: { 'Accept-Encoding': 'gzip' } });
  ok(compressed.headers['content-encoding'] === 'gzip', 'pages are compressed');
  const orderCount = pebble.countOrders();
  const unknown = await requestPage(`nada.${DOMAIN}`, '/');
  ok(
    unknown.status === 0 && pebble.countOrders() === orderCount,
    'no certificate is ordered for a name that nobody claims',
    unknown.text,
  );
  const httpResponse = await new Promise((resolve) => {
    request({ host: SERVER, port: 80, headers: { Host: `loja.${DOMAIN}` } }, (response) => {
      response.resume();
      resolve(response);
    }).end();
  });
  ok(
    httpResponse.statusCode === 308 && httpResponse.headers.location === `https://loja.${DOMAIN}/`,
    'http is redirected to https',
    `${httpResponse.statusCode} ${httpResponse.headers.location}`,
  );

  /** Sends requests to two hosts while `work` runs. */
  async function runUnderTraffic(work) {
    let isStopped = false;
    const results = [];
    const sendRequests = async (host, path, isExpected) => {
      while (!isStopped) {
        const at = performance.now();
        const response = await requestPage(host, path, { headers });
        results.push({
          isExpected: isExpected(response),
          ms: performance.now() - at,
          detail: `${host} ${response.status} ${response.text.slice(0, 60)}`,
        });
        await sleep(20);
      }
    };
    const clients = [
      sendRequests(`loja.${DOMAIN}`, '/', ({ status }) => status === 200),
      sendRequests(DOMAIN, '/login', ({ status }) => [200, 502, 503].includes(status)),
    ];
    await sleep(300);
    const result = await work();
    await sleep(500);
    isStopped = true;
    await Promise.all(clients);
    const failed = results.filter(({ isExpected, ms }) => !isExpected && ms < CADDY_HOLD_MS);
    const longest = Math.max(...results.map(({ ms }) => ms));
    ok(
      failed.length === 0,
      `no request of ${results.length} failed, except those that Caddy held for ${CADDY_HOLD_MS / 1000} s`,
      `the longest took ${(longest / 1000).toFixed(1)} s${failed.map(({ detail }) => `; ${detail}`).join('')}`,
    );
    return result;
  }

  process.stdout.write('Upgrade\n');
  const upgrade = await runUnderTraffic(() => install('second'));
  ok(upgrade.code === 0, 'install.sh of the later version succeeds', upgrade.code === 0 ? '' : upgrade.text);
  const [, backup = ''] = /Backup da versão anterior: (\S+)/.exec(upgrade.text) ?? [];
  ok(backup.includes('91.0.0'), 'the upgrade makes a backup first', backup);
  ok((await containers.exec('core', ['cat', 'VERSION'])).output === '91.0.0\n', 'the later version runs');
  await requestApi('PUT', '/subdomains/loja', { description: 'after the backup' });

  process.stdout.write('Rollback\n');
  const [manual] = readCommandsBelow(readFileSync(join(clone, 'docs/upgrades.md'), 'utf8'), 'Rollback with containers');
  const earlierVersion = readFileSync(join(folder, 'first/VERSION'), 'utf8')
    .trim()
    .replace(/[^A-Za-z0-9_.]/g, '-');
  const commands = manual
    .replace('/opt/studio', installation)
    .replace('studio:EARLIER', `studio:${earlierVersion}`)
    .replace('/data/before-LATER.backup', backup);
  const rollback = await runInShell('/', 'sh', '-ec', commands);
  ok(rollback.code === 0, 'the commands of docs/upgrades.md succeed', rollback.code === 0 ? '' : rollback.text);
  const versionAfter = (await containers.exec('core', ['cat', 'VERSION'])).output;
  ok(!versionAfter.includes('91.0.0'), 'the earlier version runs', versionAfter.trim());
  await waitFor('Caddy', async () => (await requestPage(DOMAIN, '/')).status === 200);
  const { subdomains } = await requestApi('GET', '/subdomains?search=loja');
  ok(subdomains[0]?.description === 'x', 'the earlier version has the data of the backup', subdomains[0]?.description);

  process.stdout.write('Full disk\n');
  const freeDisk = fillDisk();
  const refusedWrite = await requestPage(DOMAIN, '/api/subdomains/loja', {
    method: 'PUT',
    body: { description: 'y'.repeat(200) },
    headers,
  });
  ok(
    refusedWrite.status === 503 && Boolean(refusedWrite.headers['retry-after']),
    'a write is refused with 503 and Retry-After',
    `${refusedWrite.status}`,
  );
  ok((await requestPage(`loja.${DOMAIN}`, '/')).status === 200, 'sites are served on the full disk');
  ok((await requestPage(DOMAIN, '/login')).status === 200, 'the console’s pages are served on the full disk');
  for (const name of ['edge', 'bff', 'core']) await containers.docker(['compose', 'restart', name], installation);
  await waitFor('the edge after a restart', () => containers.isHealthy('edge'), HEALTHY_S);
  ok((await requestPage(`loja.${DOMAIN}`, '/')).status === 200, 'sites are served after a restart on the full disk');
  freeDisk();
  await waitFor('the core', () => containers.isHealthy('core'), HEALTHY_S);
  const savedWrite = await waitFor('a write', async () => {
    const response = await requestPage(DOMAIN, '/api/subdomains/loja', {
      method: 'PUT',
      body: { description: 'z' },
      headers,
    });
    return response.status === 200 ? response : undefined;
  });
  ok(savedWrite.status === 200, 'writes work again once the disk has space');

  process.stdout.write('Log\n');
  const lines = readFileSync(containers.log, 'utf8').split('\n');
  ok(!lines.some((line) => line.includes(password)), 'the log holds no password', `${lines.length} lines`);
  ok(
    readdirSync(installation).sort().join(' ') === '.env Caddyfile compose.yaml',
    'the folder of the installation has three files',
    readdirSync(installation).join(' '),
  );
  upstream.closeAllConnections();
  upstream.close();
} catch (error) {
  const lines = existsSync(containers.log) ? readFileSync(containers.log, 'utf8').split('\n') : [];
  ok(
    false,
    'the test ran to its end',
    [error.stack, ...lines.filter((line) => !line.startsWith('{')).slice(-20)].join('\n'),
  );
}
await containers.end();
await pebble.end();
await dns.stop();
calls.destroy();
writeSync(requestsFile, '\n'); // A waiting read would keep this process running.
finish();
