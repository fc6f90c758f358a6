/**
 * Tests deploy/Caddyfile in front of the edge, with certificates of Debian's ACME test server (pebble). The test covers the
 * wildcard, certificates on demand, HTTP/2 and 3, WebSocket, SSE, the client's address, and the states of certificates in the
 * core. 10,000 handshakes for unknown names must order no certificate.
 * Needs root, Debian's caddy and pebble. Argument: the number of unknown names.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { get } from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { chromium } from 'playwright-core';
import WebSocket, { WebSocketServer } from 'ws';
import { findChromium } from '../setup/chromium.mjs';
import { root } from '../setup/setup.mjs';
import { getPort, Program, Stack, waitFor } from '../testing/harness.mjs';
import { createCaller } from './support/caller.mjs';
import { findProgram } from './support/debian.mjs';
import { isolate } from './support/isolate.mjs';
import { PEBBLE, preparePebble, startPebble } from './support/pebble.mjs';
import { finish, ok } from './support/results.mjs';

const require = createRequire(import.meta.url);
const { startDns } = require('../../core-api/src/testing/dns.ts');

const DOMAIN = 'estudio.test';
const CUSTOMER = 'cliente.com.br';
const DAY_MS = 24 * 3_600_000;
const VALID_DAYS = 10;

const folder = await isolate(import.meta.url, async (folder) => {
  const programs = {
    pebble: await preparePebble(folder),
    caddy: findProgram(join(folder, 'caddy'), 'caddy', 'caddy'),
  };
  writeFileSync(join(folder, 'programs.json'), JSON.stringify(programs));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'acme-client@5'], {
    stdio: 'ignore',
  });
});
const unknownNameCount = Number(process.argv[2] ?? 10_000);
const programs = JSON.parse(readFileSync(join(folder, 'programs.json'), 'utf8'));

const loopback = ['127.0.0.1'];
const records = { [`A ${DOMAIN}`]: loopback };
const dns = await startDns(records);

const pebble = await startPebble(folder, programs.pebble, dns.address, VALID_DAYS);
const { countOrders, root: rootCertificate } = pebble;
const sendGet = (url, ...options) =>
  new Promise((resolve, reject) => {
    get(url, ...options, async (response) => {
      let text = '';
      for await (const piece of response) text += piece;
      resolve({ status: response.statusCode, headers: response.headers, text });
    }).once('error', reject);
  });
const rootFile = join(folder, 'root.pem');
writeFileSync(rootFile, rootCertificate);

process.stdout.write('Product\n');
const stack = await Stack.start({
  processes: ['core', 'edge'],
  environment: {
    BASE_DOMAIN: DOMAIN,
    EDGE_SOCKET: join(folder, 'edge.sock'),
    SERVER_IP: loopback[0],
    DNS_SERVERS: dns.address,
    TLS_CHECK_ADDRESS: '127.0.0.1:443',
    NODE_EXTRA_CA_CERTS: rootFile,
  },
});
const caller = createCaller(stack);
await caller.logIn();
const receivedHeaders = [];
const upstream = createServer((request, response) => {
  receivedHeaders.push(request.headers);
  if (request.url !== '/events') {
    response.end('the site');
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write('data: first\n\n');
  // The test emits `go` when the first event has arrived.
  upstream.once('go', () => response.end('data: second\n\n'));
});
const sockets = new WebSocketServer({ server: upstream });
sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${data}`)));
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
const port = getPort(upstream);
await caller.create('/subdomains', { subdomain: 'loja', description: 'x', type: 'proxy', port });
const project = await caller.create('/projects', { name: 'Sites', dbPrefix: 's', type: 'proxy', apiPort: port });
const createTenant = (name) =>
  caller.create('/tenants', {
    name,
    project: project._id,
    subdomain: name,
    responsibleName: 'A',
    responsibleContact: 'a@b.example',
  });
const tenant = await createTenant('cliente');
const setDomain = ({ _id }, domain) => caller.request('POST', `/tenants/${_id}/domain`, { domain });
/** Makes the core check the tenant's domain now. @returns DNS and certificate of the name without `www` */
const checkDomain = async () => {
  const { status: httpStatus, body } = await caller.request('POST', `/tenants/${tenant._id}/check`);
  if (httpStatus !== 200) throw new Error(`check: ${httpStatus} ${JSON.stringify(body)}`);
  const status = body.domainStatus.find(({ host }) => host === CUSTOMER);
  return { dns: status.dns, ...status.certificate };
};
const toJson = (value) => JSON.stringify(value);

process.stdout.write('Wildcard\n');
const acme = createRequire(join(folder, 'package.json'))('acme-client');
const client = new acme.Client({ directoryUrl: PEBBLE, accountKey: await acme.crypto.createPrivateKey() });
const [key, csr] = await acme.crypto.createCsr({ altNames: [DOMAIN, `*.${DOMAIN}`] });
const chain = await client.auto({
  csr,
  email: `ops@${DOMAIN}`,
  termsOfServiceAgreed: true,
  challengePriority: ['dns-01'],
  skipChallengeVerification: true,
  async challengeCreateFn({ identifier }, _challenge, authorization) {
    const name = `TXT _acme-challenge.${identifier.value}`;
    records[name] = [...(records[name] ?? []), authorization];
  },
  async challengeRemoveFn() {},
});
writeFileSync(join(folder, 'wildcard.pem'), chain);
writeFileSync(join(folder, 'wildcard.key'), key);
ok(/BEGIN CERTIFICATE/.test(chain), `the DNS challenge gives one certificate for ${DOMAIN} and *.${DOMAIN}`);

// Debian's Caddy has no plugin of a DNS provider, so it gets the wildcard certificate as files. The other settings are
// those of the release.
const caddyfile = readFileSync(join(root, 'scripts/deploy/Caddyfile'), 'utf8')
  .replaceAll('estudio.example', DOMAIN)
  .replace(
    /tls \{\s*dns cloudflare [^\n]*\n\s*\}/,
    `tls ${join(folder, 'wildcard.pem')} ${join(folder, 'wildcard.key')}`,
  )
  .replace(
    /(email [^\n]*\n)/,
    `$1\tacme_ca ${PEBBLE}\n\tacme_ca_root ${join(folder, 'authority.pem')}\n\tskip_install_trust\n`,
  )
  .replaceAll('/run/studio/edge.sock', join(folder, 'edge.sock'))
  .replaceAll('127.0.0.1:3003', new URL(stack.adminUrl).host);
writeFileSync(join(folder, 'Caddyfile'), caddyfile);
ok(
  caddyfile.includes('wildcard.pem') && caddyfile.includes('acme_ca_root'),
  'the Caddyfile has the lines that this test replaces',
);
let caddyStartCount = 0;
/** Starts a Caddy without the certificates of an earlier Caddy. */
async function startCaddy() {
  caddyStartCount += 1;
  const home = join(folder, `caddy-${caddyStartCount}`);
  const environment = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  const caddy = new Program('caddy', args, { command: programs.caddy, environment });
  await caddy.waitForOutput('serving initial configuration');
  return caddy;
}

/** Makes a TLS handshake for a name. @param from the client's address on loopback */
const handshake = (servername, { from = undefined, protocols = ['http/1.1'] } = {}) =>
  new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port: 443,
      servername,
      ca: rootCertificate,
      ALPNProtocols: protocols,
      localAddress: from,
    };
    const socket = connect(options, () => {
      const { subjectaltname = '' } = socket.getPeerCertificate();
      resolve({ isSecure: true, protocol: socket.alpnProtocol, names: subjectaltname });
      socket.destroy();
    });
    socket.once('error', (error) => resolve({ isSecure: false, reason: error.message }));
    socket.setTimeout(20_000, () => socket.destroy(new Error('no handshake')));
  });
const fetchPage = (host, { path = '/', from = undefined } = {}) =>
  sendGet({
    host: '127.0.0.1',
    port: 443,
    path,
    servername: host,
    headers: { Host: host },
    ca: rootCertificate,
    agent: false,
    localAddress: from,
  });

process.stdout.write('Certificates as the core reports them\n');
await setDomain(tenant, CUSTOMER);
let domainState = await checkDomain();
ok(
  domainState.dns === 'missing' && domainState.state === 'none',
  'a domain without DNS is `missing`, its certificate `none`',
  toJson(domainState),
);
Object.assign(records, { [`A ${CUSTOMER}`]: loopback, [`A www.${CUSTOMER}`]: loopback });
domainState = await checkDomain();
ok(
  domainState.dns === 'ok' && domainState.state === 'none',
  'with correct DNS and without a TLS server the certificate is `none`',
  toJson(domainState),
);
// While the authority hangs, Caddy waits for the certificate and the visitor waits for Caddy.
process.kill(pebble.pid, 'SIGSTOP');
let caddy = await startCaddy();
domainState = await checkDomain();
ok(
  domainState.dns === 'ok' && domainState.state === 'issuing',
  'while Caddy waits for the certificate, it is `issuing`',
  toJson(domainState),
);
const database = new (createRequire(join(root, 'core-api/package.json'))('sqlite3').Database)(
  join(stack.folder, 'studio.sqlite'),
);
const watchedSince = new Date(Date.now() - 21 * 60_000).toISOString();
await new Promise((resolve, reject) =>
  database.run('UPDATE domain_status SET "watchedSince" = ?', [watchedSince], (error) =>
    error ? reject(error) : resolve(undefined),
  ),
);
database.close();
domainState = await checkDomain();
ok(domainState.state === 'failed', 'after 20 minutes without a certificate, it is `failed`', toJson(domainState));
process.kill(pebble.pid, 'SIGCONT');
domainState = await waitFor(
  'a certificate',
  async () => {
    const state = await checkDomain();
    return state.state === 'active' ? state : undefined;
  },
  60,
);
const daysLeft = (Date.parse(domainState.expiresAt) - Date.now()) / DAY_MS;
ok(
  /pebble/i.test(domainState.issuer ?? ''),
  'the core reports the certificate as active, with its issuer',
  toJson(domainState),
);
ok(
  daysLeft > VALID_DAYS - 1 && daysLeft <= VALID_DAYS,
  'the core reports the day on which the certificate ends',
  `${daysLeft.toFixed(1)} days`,
);

process.stdout.write('Visitors\n');
const ordersBefore = countOrders();
for (const host of [DOMAIN, `loja.${DOMAIN}`, `nada.${DOMAIN}`]) {
  const { isSecure, names } = await handshake(host);
  ok(isSecure && names.includes(`*.${DOMAIN}`), `${host} has the wildcard certificate`, names);
}
ok(countOrders() === ordersBefore, 'these handshakes order no further certificate');
const startedAt = performance.now();
const www = await handshake(`www.${CUSTOMER}`);
ok(
  www.isSecure && www.names.includes(`www.${CUSTOMER}`),
  `www.${CUSTOMER} gets a certificate of its own at the first visit`,
  `${Math.round(performance.now() - startedAt)} ms`,
);
const shop = await fetchPage(`loja.${DOMAIN}`);
ok(shop.status === 200 && shop.text === 'the site', 'a subdomain is served over HTTP/1.1', String(shop.status));
const tenantPage = await fetchPage(CUSTOMER, { from: '127.0.0.77' });
const lastHeaders = receivedHeaders.at(-1);
ok(
  tenantPage.text === 'the site' && lastHeaders['x-tenant-subdomain'] === 'cliente',
  'the customer’s domain reaches its tenant',
);
ok(
  lastHeaders['x-forwarded-for'] === '127.0.0.77, 127.0.0.1' && lastHeaders['x-forwarded-proto'] === 'https',
  'the client’s address and https arrive',
  `${lastHeaders['x-forwarded-for']} ${lastHeaders['x-forwarded-proto']}`,
);
const forgedResponse = await sendGet({
  host: '127.0.0.1',
  port: 443,
  path: '/',
  servername: CUSTOMER,
  ca: rootCertificate,
  agent: false,
  localAddress: '127.0.0.78',
  headers: { Host: CUSTOMER, 'X-Forwarded-For': '9.9.9.9' },
});
ok(
  forgedResponse.status === 200 && receivedHeaders.at(-1)['x-forwarded-for'] === '127.0.0.78, 127.0.0.1',
  'a forged address does not arrive',
  receivedHeaders.at(-1)['x-forwarded-for'],
);

const session = connectHttp2(`https://loja.${DOMAIN}`, {
  ca: rootCertificate,
  createConnection: () =>
    connect({ host: '127.0.0.1', port: 443, servername: `loja.${DOMAIN}`, ca: rootCertificate, ALPNProtocols: ['h2'] }),
});
const stream = session.request({ ':path': '/', ':authority': `loja.${DOMAIN}` });
const [head] = await once(stream, 'response');
let body = '';
for await (const piece of stream) body += piece;
session.close();
ok(head[':status'] === 200 && body === 'the site', 'a subdomain is served over HTTP/2', String(head[':status']));

const socket = new WebSocket(`wss://loja.${DOMAIN}/`, {
  ca: rootCertificate,
  lookup: (_host, options, done) =>
    options.all ? done(null, [{ address: loopback[0], family: 4 }]) : done(null, loopback[0], 4),
});
await once(socket, 'open');
socket.send('hello');
const [message] = await once(socket, 'message');
socket.close();
ok(String(message) === 'echo hello', 'a WebSocket passes through Caddy', String(message));

const events = await new Promise((resolve, reject) => {
  get(
    {
      host: '127.0.0.1',
      port: 443,
      path: '/events',
      servername: `loja.${DOMAIN}`,
      headers: { Host: `loja.${DOMAIN}` },
      ca: rootCertificate,
      agent: false,
    },
    (response) => {
      const pieces = [];
      response.on('data', (piece) => {
        pieces.push(String(piece));
        if (pieces.length === 1) upstream.emit('go');
      });
      response.once('end', () => resolve(pieces.join('')));
    },
  ).once('error', reject);
});
ok(events === 'data: first\n\ndata: second\n\n', 'SSE: the first event arrives before the second is sent');

const executablePath = findChromium();
if (!executablePath) process.stdout.write('     HTTP/3: skipped without a Chromium\n');
else {
  const spki = spawnSync(
    'sh',
    [
      '-c',
      `openssl x509 -in ${join(folder, 'wildcard.pem')} -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`,
    ],
    { encoding: 'utf8' },
  ).stdout.trim();
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--enable-quic',
      `--origin-to-force-quic-on=loja.${DOMAIN}:443`,
      `--ignore-certificate-errors-spki-list=${spki}`,
      '--host-resolver-rules=MAP * 127.0.0.1',
    ],
  });
  try {
    const tab = await browser.newPage({ ignoreHTTPSErrors: true });
    await tab.goto(`https://loja.${DOMAIN}/`);
    const protocol = await tab.evaluate(() => Object(performance.getEntriesByType('navigation')[0]).nextHopProtocol);
    ok(protocol === 'h3', 'Chromium gets the page over HTTP/3', protocol);
  } catch (error) {
    ok(false, 'Chromium gets the page over HTTP/3', error.message.split('\n')[0]);
  } finally {
    await browser.close();
  }
}

process.stdout.write(`${unknownNameCount} unknown names\n`);
const ordersBeforeUnknown = countOrders();
let namesLeft = unknownNameCount;
let admittedNameCount = 0;
const tryUnknownNames = async () => {
  while (namesLeft > 0) {
    namesLeft -= 1;
    if ((await handshake(`x${namesLeft}.${namesLeft % 7 === 0 ? CUSTOMER : 'example'}`)).isSecure)
      admittedNameCount += 1;
  }
};
await Promise.all(Array.from({ length: 32 }, tryUnknownNames));
const bareHandshake = await handshake(undefined);
ok(
  admittedNameCount === 0 && !bareHandshake.isSecure,
  'neither an unknown name nor a bare address gets a handshake',
  String(admittedNameCount),
);
ok(
  countOrders() === ordersBeforeUnknown,
  'no certificate is ordered for unknown names',
  `${countOrders() - ordersBeforeUnknown} orders`,
);
ok((await fetchPage(CUSTOMER)).status === 200, 'known names are still served');

process.stdout.write('A released domain\n');
const releasedTenant = await createTenant('outro');
await setDomain(releasedTenant, 'outro.com.br');
records['A outro.com.br'] = loopback;
await caller.request('DELETE', `/tenants/${releasedTenant._id}/domain`);
await caller.request('DELETE', `/tenants/${tenant._id}/domain`);
await waitFor(
  'the edge to refuse the released domain',
  async () => (await fetch(`${stack.adminUrl}/ask?domain=${CUSTOMER}`)).status === 404,
);
const releasedHandshake = await handshake('outro.com.br');
ok(
  !releasedHandshake.isSecure && countOrders() === ordersBeforeUnknown,
  'a released domain gets no certificate',
  releasedHandshake.reason ?? releasedHandshake.names,
);
const releasedPage = await fetchPage(CUSTOMER).catch((error) => ({ status: error.message }));
ok(
  releasedPage.status === 404,
  'a released domain keeps its certificate, and requests for it get 404',
  String(releasedPage.status),
);
await caddy.end();
caddy = await startCaddy();
const handshakeWithoutStorage = await handshake(CUSTOMER);
ok(
  !handshakeWithoutStorage.isSecure && countOrders() === ordersBeforeUnknown,
  'a Caddy without that certificate gets none for the released domain',
  handshakeWithoutStorage.reason ?? handshakeWithoutStorage.names,
);

await caddy.end();
await pebble.end();
await stack.stop();
await dns.stop();
sockets.close();
upstream.closeAllConnections();
finish();
