/**
 * Runs the commands of INSTALL.md in an empty Debian: users, folders, units, an upgrade under traffic, both rollbacks.
 * Needs root and Debian's packages. Argument: the folder of an existing release.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { root as clone } from '../setup/setup.mjs';
import { getPort } from '../testing/harness.mjs';
import { bootstrap } from './support/debian.mjs';
import { isolate } from './support/isolate.mjs';
import { readCommandsBelow, runIn } from './support/manual.mjs';
import { sendRequest } from './support/request.mjs';
import { finish, ok } from './support/results.mjs';
import { Units } from './support/units.mjs';

const READY_S = 5;
const MAX_ROLLOUT_MS = 5_000;
const DOMAIN = 'estudio.test';

const folder = await isolate(import.meta.url, (folder) => {
  const debian = join(folder, 'debian');
  const downloads = join(debian, 'root/downloads');
  const release = process.argv[2] ?? join(folder, 'release');
  if (!process.argv[2])
    execFileSync(process.execPath, [join(clone, 'scripts/release.mjs'), release], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  bootstrap(folder, debian, 'curl', 'libstdc++6', 'libatomic1');
  // INSTALL.md requires Node at this path, from any source.
  cpSync(process.execPath, join(debian, 'usr/bin/node'), { dereference: true });
  mkdirSync(downloads);
  for (const version of ['first', 'second', 'third']) cpSync(release, join(downloads, version), { recursive: true });
});
const debian = join(folder, 'debian');
const downloads = join(debian, 'root/downloads');
for (const path of ['dev', 'proc']) execFileSync('mount', ['--rbind', `/${path}`, join(debian, path)]);

/** Turns a copy of the release into another version, with the same schema or with an additional migration. */
function renameVersion(version, name, hasMigration) {
  const versionFolder = join(downloads, version);
  const oldName = readFileSync(join(versionFolder, 'VERSION'), 'utf8').trim();
  const manual = readFileSync(join(versionFolder, 'INSTALL.md'), 'utf8').replaceAll(oldName, name);
  writeFileSync(join(versionFolder, 'VERSION'), `${name}\n`);
  writeFileSync(
    join(versionFolder, 'INSTALL.md'),
    hasMigration ? manual.replace(/`\d{13}-[\w-]+`/, '`1900000000000-later`') : manual,
  );
  if (!hasMigration) return;
  appendFileSync(
    join(versionFolder, 'core-api/dist/platform/database/migrations/index.js'),
    `\nexports.migrations.push(class Later1900000000000 {
  name = 'Later1900000000000';
  async up(runner) {
    await runner.query('CREATE TABLE later (id integer PRIMARY KEY)');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  async down() {}
});\n`,
  );
}
renameVersion('second', '90.0.0', false);
renameVersion('third', '91.0.0', true);

// The `systemctl` of the Debian folder is a script that calls this process over two pipes.
const units = new Units(debian, folder);
const [requestPipe, replyPipe] = ['systemctl-request', 'systemctl-reply'].map((name) => {
  const pipe = join(debian, 'run', name);
  execFileSync('mkfifo', [pipe]);
  return openSync(pipe, 'r+'); // `r+` does not wait for a process at the other end.
});
const SYSTEMCTL = '#!/bin/sh\necho "$@" > /run/systemctl-request\nread -r code < /run/systemctl-reply\nexit "$code"\n';
writeFileSync(join(debian, 'usr/bin/systemctl'), SYSTEMCTL, { mode: 0o755 });
const calls = createReadStream('', { fd: requestPipe });
createInterface({ input: calls }).on('line', async (line) => {
  const code = await units.systemctl(line.split(' ')).then(
    () => 0,
    (error) => {
      process.stdout.write(`${error.stack}\n`);
      return 1;
    },
  );
  writeSync(replyPipe, `${code}\n`);
});

const runInRoot = (...command) => runIn(debian, command);
const readVersionName = (version) => readFileSync(join(downloads, version, 'VERSION'), 'utf8').trim();
const readManual = (version) => readFileSync(join(downloads, version, 'INSTALL.md'), 'utf8');

/** Runs one block of commands below a heading of INSTALL.md. @returns their output */
async function runManual(version, heading, { block = 0, change = (text) => text } = {}) {
  const lines = readCommandsBelow(readManual(version), heading)[block];
  if (!lines) throw new Error(`INSTALL.md has no commands below ${heading}`);
  const { code, output } = await runInRoot('/bin/sh', '-ec', `cd /root/downloads/${version}\n${change(lines)}`);
  const title = heading.replaceAll('\\', '');
  ok(
    code === 0,
    `"${title}"${block ? `, block ${block + 1}` : ''}: ${lines.trim().split('\n').length} lines`,
    code === 0 ? '' : output.slice(-1500),
  );
  return output;
}

/** Finds the processes of the product, each with its user. */
const findServices = () =>
  spawnSync('ps', ['-eo', 'pid=,user:20=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => /dist\/(bin\/(core|edge|edge-worker)|main)\.js/.test(line))
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, user]) => ({ pid, user }));

/** Reads user and system time of a process in seconds. /proc counts ticks of 10 ms (proc_pid_stat(5)). */
function readProcessorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Sends one request on a new connection. @returns status 0 without a response */
const requestEdge = (host, path, { method = 'GET', body = undefined, headers = {}, port = 3000 } = {}) =>
  sendRequest({ host: '127.0.0.1', port, path, method, headers: { Host: host, ...headers } }, body);

try {
  await runManual('first', '1\\. Users');
  await runManual('first', '2\\. Folders');
  await runManual('first', '3\\. Environment', { change: (text) => text.replace('estudio.example', DOMAIN) });
  const startedAt = performance.now();
  await runManual('first', '4\\. Units');
  const seconds = (performance.now() - startedAt) / 1000;
  const processorS = findServices().reduce((sum, { pid }) => sum + readProcessorSeconds(pid), 0);
  ok(
    seconds <= READY_S,
    `the product is ready within ${READY_S} s`,
    `${seconds.toFixed(1)} s; ${processorS.toFixed(1)} s of processor`,
  );
  const password = (await runManual('first', '6\\. First login')).trim();

  const login = await requestEdge(DOMAIN, '/api/login', { method: 'POST', body: { username: 'admin', password } });
  ok(login.status === 200, 'a login with the first password succeeds', String(login.status));
  const headers = { Authorization: `Bearer ${JSON.parse(login.text).token}` };
  const requestApi = async (method, path, body) => {
    const response = await requestEdge(DOMAIN, `/api${path}`, { method, body, headers });
    if (response.status === 0 || response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return JSON.parse(response.text);
  };

  process.stdout.write('Users\n');
  const runAsUser = (user, groups, ...command) =>
    spawnSync('chroot', [`--userspec=${user}:${user}`, `--groups=${groups}`, debian, ...command], { encoding: 'utf8' });
  for (const secret of ['jwt.secret', 'settings.key']) {
    const { status } = runAsUser('studio-edge', 'studio-data', 'cat', `/var/lib/studio/${secret}`);
    ok(status !== 0, `the edge’s user cannot read ${secret}`);
    ok(
      runAsUser('studio-bff', 'studio-bff', 'cat', `/var/lib/studio/${secret}`).status !== 0,
      `the BFF’s user cannot read ${secret}`,
    );
  }
  for (const user of ['studio-core', 'studio-bff', 'studio-edge']) {
    const writeAttempt = runAsUser(
      user,
      'studio-data',
      'sh',
      '-c',
      'echo x > /opt/studio/current/VERSION || echo x > /etc/studio/x',
    );
    ok(writeAttempt.status !== 0, `${user} cannot write the code`);
  }
  const rootServices = findServices().filter(({ user }) => user === 'root');
  ok(rootServices.length === 0, 'no process runs as root', rootServices.map(({ pid }) => pid).join(' '));

  process.stdout.write('Traffic\n');
  const upstream = createServer((_request, response) => response.end('the site')).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const port = getPort(upstream);
  mkdirSync(join(debian, 'var/lib/studio/sites/pagina'));
  writeFileSync(join(debian, 'var/lib/studio/sites/pagina/index.html'), 'a page');
  await requestApi('POST', '/subdomains', { subdomain: 'loja', description: 'x', type: 'proxy', port });
  await requestApi('POST', '/subdomains', {
    subdomain: 'pagina',
    description: 'x',
    type: 'static',
    staticPath: '/var/lib/studio/sites/pagina',
  });
  const service = await requestApi('POST', '/gateway/admin/services', {
    name: 'erp',
    host: `http://127.0.0.1:${port}`,
  });
  await requestApi('POST', '/gateway/admin/routes', {
    serviceId: service._id,
    origin: '/erp',
    destination: '/',
    methods: ['GET'],
    permission: 'erp:ler',
  });
  const { key } = await requestApi('POST', '/gateway/admin/keys', { name: 'k', permissions: ['*'], allowedIps: [] });
  const query = { query: '{ me { username } }' };
  const requestsByName = {
    'a site': () => requestEdge(`loja.${DOMAIN}`, '/'),
    'a static site': () => requestEdge(`pagina.${DOMAIN}`, '/'),
    'the gateway': () => requestEdge(`api.${DOMAIN}`, '/erp', { headers: { 'X-API-Key': key } }),
    'the console': () => requestEdge(DOMAIN, '/login'),
    'the graph': () => requestEdge(DOMAIN, '/graphql', { method: 'POST', body: query, headers }),
    'reading by REST': () => requestEdge(DOMAIN, '/api/subdomains', { headers }),
  };
  /** Whether a request succeeded. Errors of the graph have status 200. */
  const isHealthy = ({ status, text }) => status === 200 && !text.includes('"errors"');
  /** Waits until a request succeeds, because the edge serves a save only after a moment. Reports the result. */
  async function waitUntilServed(name, send) {
    const end = Date.now() + MAX_ROLLOUT_MS;
    let response = await send();
    for (; !isHealthy(response) && Date.now() < end; response = await send()) await sleep(50);
    ok(isHealthy(response), `${name} is served`, isHealthy(response) ? '' : `${response.status} ${response.text}`);
  }
  for (const [name, send] of Object.entries(requestsByName)) await waitUntilServed(name, send);

  const [schema = ''] = /(?<=Schema of the database: `)[^`]+/.exec(readManual('first')) ?? [];
  const script = `const { Database } = require('/opt/studio/current/node_modules/sqlite3');
    new Database('/var/lib/studio/studio.sqlite').get('SELECT MAX(timestamp) AS last FROM migrations', (_error, { last }) => console.log(last))`;
  const { output: last } = await runInRoot('node', '-e', script);
  ok(schema.startsWith(`${last.trim()}-`), 'INSTALL.md names the last migration of the database', `${schema} ${last}`);

  /** Sends reads and writes while `work` runs. */
  async function runUnderTraffic(work) {
    let isStopped = false;
    const results = [];
    const sendRepeatedly = async (name, send) => {
      while (!isStopped) {
        const at = performance.now();
        const response = await send();
        const durationMs = Math.round(performance.now() - at);
        results.push({
          isHealthy: isHealthy(response),
          description: `${name}: ${response.status} ${response.text.slice(0, 80)} after ${durationMs} ms`,
        });
        await sleep(20);
      }
    };
    let count = 0;
    const writeResults = [];
    const write = async () => {
      count += 1;
      const description = `change ${count}`;
      const at = performance.now();
      const response = await requestEdge(DOMAIN, '/api/subdomains/loja', {
        method: 'PUT',
        body: { description },
        headers,
      });
      writeResults.push({ status: response.status, description, ms: performance.now() - at });
      return response;
    };
    const clients = [
      ...Object.entries(requestsByName).map(([name, send]) => sendRepeatedly(name, send)),
      (async () => {
        while (!isStopped) {
          await write();
          await sleep(50);
        }
      })(),
    ];
    await sleep(500);
    await work();
    await sleep(1_500);
    isStopped = true;
    await Promise.all(clients);
    const failed = results.filter((result) => !result.isHealthy);
    ok(
      failed.length === 0,
      `no request of ${results.length} failed`,
      failed
        .slice(0, 5)
        .map(({ description }) => description)
        .join('; '),
    );
    const failedWrites = writeResults.filter(({ status }) => status !== 200);
    const longest = Math.max(...writeResults.map(({ ms }) => ms));
    ok(
      failedWrites.every(({ status }) => status === 502 || status === 503),
      `all ${writeResults.length} writes were answered`,
      `${failedWrites.length} of them with 502 or 503; the longest took ${(longest / 1000).toFixed(1)} s`,
    );
    const lastWrite = writeResults.filter(({ status }) => status === 200).at(-1);
    const { subdomains } = await requestApi('GET', '/subdomains?search=loja');
    ok(
      subdomains[0].description === lastWrite.description,
      'the last confirmed write is stored',
      subdomains[0].description,
    );
  }
  const readCurrentVersion = () => readFileSync(join(debian, 'opt/studio/current/VERSION'), 'utf8').trim();

  process.stdout.write('Upgrade, same schema\n');
  await runUnderTraffic(() => runManual('second', 'Upgrade'));
  ok(readCurrentVersion() === '90.0.0', 'the later version is in place');
  process.stdout.write('Rollback, same schema\n');
  await runUnderTraffic(() => runManual('second', 'Rollback'));
  ok(readCurrentVersion() !== '90.0.0', 'the first version is in place', readCurrentVersion());

  process.stdout.write('Upgrade with a migration\n');
  await runUnderTraffic(() => runManual('third', 'Upgrade'));
  ok(readCurrentVersion() === '91.0.0', 'the later version is in place');
  await requestApi('PUT', '/subdomains/loja', { description: 'after the backup' });

  process.stdout.write('The older version on the newer schema\n');
  const olderVersion = await runInRoot(
    'setpriv',
    '--reuid=studio-core',
    '--regid=studio-core',
    '--groups=studio-data',
    'env',
    'DATA_DIR=/var/lib/studio',
    'CORE_PORT=3999',
    'node',
    `/opt/studio/${readVersionName('first')}/core-api/dist/bin/core.js`,
  );
  ok(
    olderVersion.code !== 0 && olderVersion.output.trim().split('\n').length === 1,
    'the older version refuses to start, in one line',
    olderVersion.output.trim(),
  );

  process.stdout.write('Rollback with the backup\n');
  await runManual('third', 'Rollback', { block: 1 });
  for (let turn = 0; turn < 100 && (await requestEdge(DOMAIN, '/api/me', { headers })).status !== 200; turn += 1)
    await sleep(100);
  ok(readCurrentVersion() !== '91.0.0', 'the first version is in place', readCurrentVersion());
  const { subdomains } = await requestApi('GET', '/subdomains?search=loja');
  ok(
    /^change \d+$/.test(subdomains[0]?.description),
    'the restored data has the content of the backup',
    subdomains[0]?.description,
  );
  for (const [name, send] of Object.entries(requestsByName)) await waitUntilServed(name, send);
  const keptFolders = readdirSync(join(debian, 'var/lib/studio')).filter((name) => name.startsWith('before-restore-'));
  ok(keptFolders.length === 1, 'the replaced data is kept in another folder', keptFolders.join(' '));

  process.stdout.write('Log\n');
  const lines = readFileSync(units.log, 'utf8').split('\n').filter(Boolean);
  const otherLines = lines.filter((line) => !line.startsWith('{'));
  ok(otherLines.length === 0, `${lines.length} lines are JSON`, otherLines.slice(0, 3).join(' | '));
  ok(!lines.some((line) => line.includes(password)), 'no line of the log contains a password');
} catch (error) {
  ok(false, 'the test ran to its end', `${error.stack}\n${readFileSync(units.log, 'utf8').slice(-3000)}`);
}
await units.end();
// A waiting read would keep this process running.
calls.destroy();
writeSync(requestPipe, '\n');
finish();
