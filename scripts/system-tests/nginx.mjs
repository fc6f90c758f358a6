/**
 * Tests nginx and certbot, which INSTALL.md describes as a replacement for Caddy, in an empty Debian. The certificates
 * come from Debian's ACME test server (pebble). The test covers the wildcard, a customer's domain, forwarded requests,
 * and a renewal. Needs root and Debian's packages.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import WebSocket, { WebSocketServer } from 'ws';
import { root as clone } from '../setup/setup.mjs';
import { getPort, Stack, waitFor } from '../testing/harness.mjs';
import { createCaller } from './support/caller.mjs';
import { bootstrap } from './support/debian.mjs';
import { isolate } from './support/isolate.mjs';
import { readCommandsBelow, runIn } from './support/manual.mjs';
import { PEBBLE, preparePebble, startPebble } from './support/pebble.mjs';
import { sendRequest } from './support/request.mjs';
import { finish, ok } from './support/results.mjs';

const { startDns } = createRequire(import.meta.url)('../../core-api/src/testing/dns.ts');

const DOMAIN = 'estudio.test';
const CUSTOMER = 'cliente.com.br';
const VALID_DAYS = 90;
const LARGE_BYTES = 5_000_000;

const folder = await isolate(import.meta.url, async (folder) => {
  writeFileSync(join(folder, 'pebble.path'), await preparePebble(folder));
  // certbot depends on a virtual package, which debootstrap does not resolve. `python3-cffi-backend` is named here
  // instead.
  bootstrap(folder, join(folder, 'debian'), 'curl', 'nginx', 'certbot', 'python3-cffi-backend');
});
const debian = join(folder, 'debian');
for (const path of ['dev', 'proc']) execFileSync('mount', ['--rbind', `/${path}`, join(debian, path)]);

const loopback = ['127.0.0.1'];
const names = [DOMAIN, CUSTOMER, `www.${CUSTOMER}`];
const records = Object.fromEntries(names.map((name) => [`A ${name}`, loopback]));
const dns = await startDns(records);
const pebble = await startPebble(folder, readFileSync(join(folder, 'pebble.path'), 'utf8'), dns.address, VALID_DAYS);

// This server creates the TXT record that certbot requires. Usually a person creates it.
const registrar = createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://registrar');
  const name = `TXT _acme-challenge.${searchParams.get('name')}`;
  records[name] = [...(records[name] ?? []), searchParams.get('text')];
  response.end();
}).listen(0, '127.0.0.1');
await once(registrar, 'listening');
const HOOK = `#!/bin/sh
exec curl -fsSG "http://127.0.0.1:${getPort(registrar)}" -d "name=$CERTBOT_DOMAIN" -d "text=$CERTBOT_VALIDATION"
`;
writeFileSync(join(debian, 'root/registrar'), HOOK, { mode: 0o755 });
copyFileSync(join(folder, 'authority.pem'), join(debian, 'root/authority.pem'));
const certbotOptions = ['agree-tos', 'non-interactive', 'register-unsafely-without-email'].map(
  (name) => `${name} = true\n`,
);
appendFileSync(
  join(debian, 'etc/letsencrypt/cli.ini'),
  `\nserver = ${PEBBLE}\nmanual-auth-hook = /root/registrar\n${certbotOptions.join('')}`,
);
// A minimal system has no /etc/hosts.
writeFileSync(join(debian, 'etc/hosts'), '127.0.0.1 localhost\n');
const SYSTEMCTL = '#!/bin/sh\ncase "$*" in *nginx) exec nginx -s reload ;; esac\n';
writeFileSync(join(debian, 'usr/bin/systemctl'), SYSTEMCTL, { mode: 0o755 });
appendFileSync(join(debian, 'etc/group'), 'studio-proxy:x:899:\n');
const versionFolder = join(debian, 'root/version');
mkdirSync(versionFolder);
cpSync(join(clone, 'scripts/deploy'), join(versionFolder, 'deploy'), { recursive: true });
/** Runs a script in a shell of the Debian folder. @returns the output */
async function runInShell(script, description) {
  const environment = { REQUESTS_CA_BUNDLE: '/root/authority.pem' };
  const { code, output } = await runIn(debian, ['/bin/sh', '-ec', `cd /root/version\n${script}`], environment);
  ok(code === 0, description, code === 0 ? '' : output.slice(-1500));
  return output;
}

mkdirSync(join(debian, 'run/studio'), { recursive: true });
const stack = await Stack.start({
  processes: ['core', 'edge'],
  environment: {
    BASE_DOMAIN: DOMAIN,
    PORT: '3000',
    EDGE_SOCKET: join(debian, 'run/studio/edge.sock'),
    DNS_SERVERS: dns.address,
  },
});
// nginx runs in a chroot. The group of the socket has another id there, so every user may open the socket.
chmodSync(join(debian, 'run/studio/edge.sock'), 0o666);
const caller = createCaller(stack);
await caller.logIn();
const receivedHeaders = [];
const upstream = createServer(async (request, response) => {
  let byteCount = 0;
  for await (const piece of request) byteCount += piece.length;
  receivedHeaders.push({ ...request.headers, byteCount });
  response.end('the site');
});
const sockets = new WebSocketServer({ server: upstream });
sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${data}`)));
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
await caller.create('/subdomains', {
  subdomain: 'loja',
  description: 'x',
  type: 'proxy',
  port: getPort(upstream),
});

/** Sends one request over TLS. @returns the response and the server's certificate */
const requestSite = async (host, { method = 'GET', body = undefined, from = undefined } = {}) => {
  const headers = { Host: host };
  const target = { host: '127.0.0.1', port: 443, servername: host, ca: pebble.root, localAddress: from };
  const { status, text, certificate } = await sendRequest({ ...target, method, headers }, body);
  return { status, text, names: certificate.subjectaltname ?? '', serialNumber: certificate.serialNumber };
};

try {
  process.stdout.write('Installation\n');
  // Outside of this test, Debian's package starts nginx.
  await runInShell('nginx', 'nginx runs');
  const [, lines = ''] = readCommandsBelow(
    readFileSync(join(clone, 'scripts/deploy/INSTALL.md'), 'utf8'),
    '5\\. DNS and TLS',
  );
  const commands = lines.replace(/^apt-get .*\n/, '').replaceAll('cliente.example', CUSTOMER);
  await runInShell(
    `BASE_DOMAIN=${DOMAIN}\n${commands}`,
    `the ${lines.trim().split('\n').length} lines of INSTALL.md succeed`,
  );

  process.stdout.write('Visitors\n');
  await waitFor('the new files are in force', async () => (await requestSite(CUSTOMER)).status > 0, 10).catch(
    () => undefined,
  );
  const shop = await requestSite(`loja.${DOMAIN}`, { from: '127.0.0.77' });
  ok(
    shop.text === 'the site' && shop.names.includes(`*.${DOMAIN}`),
    'a subdomain is served with the wildcard certificate',
    shop.names,
  );
  ok(receivedHeaders.at(-1)?.['x-forwarded-for'] === '127.0.0.77, 127.0.0.1', 'the client’s address arrives');
  ok(receivedHeaders.at(-1)?.['x-forwarded-proto'] === 'https', 'the scheme https arrives');
  const customer = await requestSite(CUSTOMER);
  ok(
    customer.status > 0 && customer.names.includes(`www.${CUSTOMER}`),
    'a customer’s domain has a certificate of its own',
    customer.names,
  );
  await requestSite(`loja.${DOMAIN}`, { method: 'POST', body: Buffer.alloc(LARGE_BYTES) });
  ok(
    receivedHeaders.at(-1)?.byteCount === LARGE_BYTES,
    'an upload arrives completely',
    `${receivedHeaders.at(-1)?.byteCount} bytes`,
  );
  const stranger = await requestSite('estranho.example');
  ok(stranger.status === 0, 'a name without a certificate gets no handshake', stranger.text);
  const socket = new WebSocket(`wss://loja.${DOMAIN}/`, {
    ca: pebble.root,
    lookup: (_host, options, done) =>
      options.all ? done(null, [{ address: loopback[0], family: 4 }]) : done(null, loopback[0], 4),
  });
  await once(socket, 'open');
  socket.send('hello');
  const [message] = await once(socket, 'message');
  socket.close();
  ok(String(message) === 'echo hello', 'a WebSocket passes through nginx', String(message));

  process.stdout.write('Renewal\n');
  await runInShell('certbot renew --force-renewal --no-random-sleep-on-renew', 'certbot renews all certificates');
  const isNew = async () => (await requestSite(CUSTOMER)).serialNumber !== customer.serialNumber;
  const isServed = await waitFor('the new certificate', isNew, 10).catch(() => false);
  ok(isServed, 'nginx serves the renewed certificates without a manual step');
} catch (error) {
  ok(false, 'no step throws', error.stack);
}
spawnSync('chroot', [debian, 'nginx', '-s', 'stop']);
await stack.stop();
await pebble.end();
await dns.stop();
registrar.close();
sockets.close();
upstream.closeAllConnections();
finish();
