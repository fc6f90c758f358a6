/**
 * Creates a release, makes it read-only as if root had installed it, and runs it as another user. Tests login, subdomain,
 * edge, commands and units.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../setup/setup.mjs';
import { findFreePorts, getPort, Program, waitFor } from '../testing/harness.mjs';

const MAX_MB = 250;
/** Highest exposure that `systemd-analyze security` may report, of 10. */
const MAX_EXPOSURE = 2.5;
/** The user of the service: an unused user id of this machine, or the user of this test if that user is not root. */
const USER = process.getuid() === 0 ? 61_234 : process.getuid();

const failures = [];
const print = (line) => process.stdout.write(`${line}\n`);
const check = (description, holds, figure = '') => {
  if (!holds) failures.push(description);
  print(`  ${holds ? 'ok  ' : 'FAIL'} ${description}${figure === '' ? '' : `: ${figure}`}`);
};
const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
const isInstalled = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/** Sends a request to the edge for one of its hosts. */
const sendRequest = (port, host, path, { method = 'GET', body = undefined, token = undefined } = {}) =>
  new Promise((resolve, reject) => {
    const headers = {
      Host: host,
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
      let text = '';
      for await (const piece of response) text += piece;
      resolve({ status: response.statusCode, text });
    });
    outgoing.once('error', reject).end(body && JSON.stringify(body));
  });

const folder = mkdtempSync(join(tmpdir(), 'system-test-release-'));
chmodSync(folder, 0o755);
const release = join(folder, 'with blanks', 'v1');
const data = join(folder, 'data');
const upstream = createServer((_request, response) => response.end('the site')).listen(0, '127.0.0.1');
try {
  print('Creation');
  execFileSync(process.execPath, [join(root, 'scripts/release.mjs'), release], { stdio: 'inherit' });
  const files = listFiles(release);
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
  check(
    `the release is smaller than ${MAX_MB} MB`,
    megabytes < MAX_MB,
    `${megabytes.toFixed(0)} MB in ${files.length} files`,
  );
  check('the release has no source map', !files.some((file) => file.endsWith('.map')));
  const billOfMaterials = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8'));
  const listedPackages = new Set(billOfMaterials.components.map((component) => component['bom-ref']));
  const unlistedPackages = files
    .filter((file) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
    .map(({ name, version }) => `${name}@${version}`)
    .filter((name) => !listedPackages.has(name));
  check(
    'the bill of materials has every package',
    unlistedPackages.length === 0,
    unlistedPackages.join(' ') || String(listedPackages.size),
  );
  spawnSync('chmod', ['-R', 'a-w', release]);
  const newestMtimeMs = Math.max(...files.map((file) => statSync(file).mtimeMs));

  print('Start');
  mkdirSync(data, { mode: 0o700 });
  if (process.getuid() === 0) chownSync(data, USER, USER);
  const [PORT, BFF_PORT, CORE_PORT, EDGE_ADMIN_PORT] = (await findFreePorts(4)).map(String);
  const ports = { PORT, BFF_PORT, CORE_PORT, EDGE_ADMIN_PORT };
  const environment = { ...ports, DATA_DIR: data, HOST: '127.0.0.1', EDGE_WORKERS: '1', LOG_LEVEL: 'error' };
  const envFile = join(folder, 'studio.env');
  writeFileSync(
    envFile,
    Object.entries(environment)
      .map((pair) => `${pair.join('=')}\n`)
      .join(''),
  );
  const userCommand =
    process.getuid() === 0 ? ['setpriv', '--reuid', String(USER), '--regid', String(USER), '--clear-groups'] : ['env'];
  const [command, ...argumentsBefore] = [...userCommand, process.execPath];
  const refusedStart = spawnSync(process.execPath, [join(release, 'start.mjs')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  check(
    'a start without DATA_DIR prints one line and exits with 78',
    refusedStart.status === 78 && /^DATA_DIR: .*\n$/.test(refusedStart.stderr),
  );
  const program = new Program('release', [...argumentsBefore, join(release, 'start.mjs')], {
    command,
    environment,
    cwd: '/',
  });
  const startedAt = performance.now();
  await program.waitForOutput('Pronto');
  print(`  ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

  const password = readFileSync(join(data, 'first-password'), 'utf8').trim();
  const login = await sendRequest(PORT, 'localhost', '/api/login', {
    method: 'POST',
    body: { username: 'admin', password },
  });
  const { token } = JSON.parse(login.text);
  check('an administrator can log in through the edge', login.status === 200, login.status);
  check('the file of the first password is removed', !existsSync(join(data, 'first-password')));
  const subdomain = { subdomain: 'loja', description: 'x', type: 'proxy', port: getPort(upstream) };
  const createResponse = await sendRequest(PORT, 'localhost', '/api/subdomains', {
    method: 'POST',
    body: subdomain,
    token,
  });
  check('a subdomain is created', createResponse.status === 201, createResponse.status);
  await waitFor(
    'the subdomain at the edge',
    async () => (await sendRequest(PORT, 'loja.localhost', '/')).text === 'the site',
  );
  check('the edge serves the subdomain', true);
  const consoleResponse = await sendRequest(PORT, 'localhost', '/admin');
  check(
    'the console is served',
    consoleResponse.status === 200 && /<html/.test(consoleResponse.text),
    consoleResponse.status,
  );

  print('Commands');
  const runCommand = (name, ...args) =>
    spawnSync(process.execPath, [join(release, `${name}.mjs`), ...args, '--env-file', envFile], {
      encoding: 'utf8',
      cwd: '/',
    });
  check('the usage text has node admin.mjs', runCommand('admin').stderr.startsWith('Uso: node admin.mjs '));
  check('admin list names the administrator', runCommand('admin', 'list').stdout.trim() === 'admin');
  const backup = join(data, 'trial.backup');
  check('backup succeeds', runCommand('backup', backup).status === 0);
  check('the backup belongs to the user of the service', statSync(backup).uid === USER);
  check('restore refuses while the service runs', runCommand('restore', backup).status !== 0);
  check('the service exits with 0', (await program.end()) === 0);
  const restoreRun = runCommand('restore', backup);
  check('restore succeeds', restoreRun.status === 0, restoreRun.status === 0 ? '' : restoreRun.stderr);
  const foreignFiles = listFiles(data).filter((file) => statSync(file).uid !== USER);
  check('all data belongs to the user of the service', foreignFiles.length === 0, foreignFiles.join(' '));
  const filesAfter = listFiles(release);
  const isSame =
    filesAfter.length === files.length && filesAfter.every((file) => statSync(file).mtimeMs <= newestMtimeMs);
  check('nothing was written into the release', isSame);

  print('Units');
  if (!isInstalled('systemd-analyze')) print('  skipped: systemd-analyze is not installed');
  else {
    const image = join(folder, 'image');
    const units = join(image, 'etc/systemd/system');
    mkdirSync(join(image, 'usr/bin'), { recursive: true });
    cpSync(process.execPath, join(image, 'usr/bin/node'));
    cpSync(join(release, 'deploy/systemd'), units, { recursive: true });
    const names = readdirSync(units).filter((name) => /\.(service|socket|target)$/.test(name));
    const paths = names.map((name) => join(units, name));
    const verification = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', '--man=no', ...paths], {
      encoding: 'utf8',
    });
    // Some complaints are expected: Node has another path on this machine, and the release is not installed.
    const complaints = verification.stderr
      .split('\n')
      .filter((line) => line.includes('studio') && !/\/usr\/bin\/node is not executable/.test(line));
    check('systemd-analyze has no complaint', complaints.length === 0, complaints.join('; '));
    for (const name of names.filter((unit) => unit.endsWith('.service'))) {
      const { stdout } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', `--root=${image}`, '--no-pager', name],
        { encoding: 'utf8' },
      );
      const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
      check(`the exposure of ${name} is at most ${MAX_EXPOSURE}`, exposure <= MAX_EXPOSURE, String(exposure));
    }
  }

  print('Caddyfile');
  if (!isInstalled('caddy')) print('  skipped: caddy is not installed');
  else {
    // Not every Caddy has the plugin of the DNS provider, so the line for the plugin is replaced.
    const text = readFileSync(join(release, 'deploy/Caddyfile'), 'utf8').replace(
      /dns cloudflare .*/,
      'issuer internal',
    );
    writeFileSync(join(folder, 'Caddyfile'), text);
    const { status, stderr } = spawnSync(
      'caddy',
      ['validate', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
      {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder },
      },
    );
    check('the Caddyfile is valid', status === 0, status === 0 ? '' : stderr.split('\n').at(-2));
  }
} finally {
  upstream.close();
  spawnSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
}
print(failures.length === 0 ? 'It runs with Node alone.' : `FAILED: ${failures.join(', ')}`);
process.exit(failures.length === 0 ? 0 : 1);
