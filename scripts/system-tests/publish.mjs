/**
 * Publishes sites on PostgreSQL: with an absent machine, with a database that stops during a publication, over the
 * graph, and for a site with 10,000 versions. Argument: the number of versions.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack, waitFor } from '../testing/harness.mjs';
import { Postgres } from './support/postgres.mjs';
import { finish, ok } from './support/results.mjs';

const VERSIONS = Number(process.argv[2] ?? 10_000);
const server = (await new Postgres().create()).start();
process.on('exit', () => server.remove());
const url = await server.createDatabase('studio');
const stack = await Stack.start({ environment: { DATABASE_URL: url, EDGE_WORKERS: '1' } });
const token = await stack.logIn();

/** Creates a package with one page. */
function createPackage(text) {
  const folder = mkdtempSync(join(tmpdir(), 'publish-'));
  writeFileSync(join(folder, 'index.html'), text);
  execFileSync('tar', ['-czf', join(folder, 'package'), '-C', folder, 'index.html']);
  const bytes = readFileSync(join(folder, 'package'));
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Calls the REST API at the public port, through the edge. @param {any} [body] an object, or the bytes of a package */
async function requestApi(method, path, body) {
  const startedAt = performance.now();
  const isPackage = Buffer.isBuffer(body);
  const response = await fetch(`${stack.url}/api${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': isPackage ? 'application/gzip' : 'application/json' }),
    },
    ...(body !== undefined && { body: isPackage ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const seconds = (performance.now() - startedAt) / 1000;
  return { status: response.status, body: text && JSON.parse(text), seconds };
}

const fetchPage = (label, path = '/') =>
  new Promise((resolve, reject) => {
    get(stack.url + path, { headers: { Host: `${label}.localhost` } }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });

const createSite = async (label) => {
  const response = await requestApi('POST', '/subdomains', {
    subdomain: label,
    description: 'x',
    type: 'static',
    source: 'versions',
  });
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
  const published = await requestApi('POST', `/subdomains/${label}/versions`, createPackage('antes'));
  if (published.status !== 201) throw new Error(`${published.status} ${JSON.stringify(published.body)}`);
  await waitFor(label, async () => (await fetchPage(label)) === 'antes');
};
const addAbsentMachine = () =>
  server.query(
    'studio',
    `INSERT INTO content_machines ("machineId", "seenAt") VALUES ('absent', '2999-01-01T00:00:00.000Z')`,
  );
const removeAbsentMachine = () => server.query('studio', `DELETE FROM content_machines WHERE "machineId" = 'absent'`);

await createSite('tarde');
await addAbsentMachine();
const pendingPublication = await requestApi('POST', '/subdomains/tarde/versions', createPackage('depois'));
ok(
  pendingPublication.status === 201 && pendingPublication.body.live?.state === 'pending',
  'a publication through the edge that waits for an absent machine is reported as pending',
  `${pendingPublication.status} ${JSON.stringify(pendingPublication.body.live ?? pendingPublication.body)} after ${pendingPublication.seconds.toFixed(0)} s`,
);
await waitFor('the machine that has the version serves it', async () => (await fetchPage('tarde')) === 'depois');

const [, firstVersion] = (await requestApi('GET', '/subdomains/tarde/versions')).body; // Newest first.
const activationStartedAt = performance.now();
const graphResponse = await fetch(`${stack.url}/graphql`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ query: `mutation { activateVersion(id: "${firstVersion._id}") { number live { state } } }` }),
});
const activation = await graphResponse.json();
ok(
  activation.data?.activateVersion?.live?.state === 'pending',
  'an activation over the graph is reported as pending, not as a failure',
  `${JSON.stringify(activation).slice(0, 200)} after ${((performance.now() - activationStartedAt) / 1000).toFixed(0)} s`,
);
await waitFor('the activated version', async () => (await fetchPage('tarde')) === 'antes');
await removeAbsentMachine();

await createSite('queda');
await addAbsentMachine();
const interruptedPublication = requestApi('POST', '/subdomains/queda/versions', createPackage('depois'));
const listVersions = async (label) => (await requestApi('GET', `/subdomains/${label}/versions`)).body;
await waitFor('the version is stored', async () => (await listVersions('queda')).length === 2);
server.stop('immediate');
const refusedPublication = await interruptedPublication;
ok(
  refusedPublication.status === 503,
  'a publication during which the database stops is answered with 503',
  String(refusedPublication.status),
);
ok((await fetchPage('queda')) === 'antes', 'the site is served while the database is stopped');
server.start();
await removeAbsentMachine();
await waitFor('the core is ready', async () => (await requestApi('GET', '/subdomains')).status === 200);
const [storedVersion] = await listVersions('queda');
const repeatedActivation = await requestApi('POST', `/versions/${storedVersion._id}/activate`);
ok(
  repeatedActivation.status === 200 && (await fetchPage('queda')) === 'depois',
  'the stored version can be activated after the database is back',
);

await createSite('muitas');
const [firstOfMany] = await listVersions('muitas');
const COPY_VERSION_SQL = `INSERT INTO site_versions (_id, "ownerKind", "ownerId", number, state, activates, name, manifest, "manifestDigest", files, bytes, actor, "createdAt", pinned)
  SELECT gen_random_uuid()::text, "ownerKind", "ownerId", number + i, state, activates, name, manifest || repeat(' ', 20000), "manifestDigest", files, bytes, actor, "createdAt", false
  FROM site_versions, generate_series(1, ${VERSIONS}) AS i WHERE _id = '${firstOfMany._id}'`;
await server.query('studio', COPY_VERSION_SQL); // Each copy has a manifest of more than 20 kB.
await server.query(
  'studio',
  `INSERT INTO site_activations (_id, "ownerKind", "ownerId", "versionId", at)
   SELECT gen_random_uuid()::text, "ownerKind", "ownerId", _id, to_char(now() at time zone 'utc' - interval '1 hour' + number * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
   FROM site_versions WHERE name LIKE 'muitas #%'`,
);
const readMemoryMb = () =>
  Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack.process('core').pid}/status`, 'utf8'))?.[1]) / 1024,
  );
const memoryBefore = readMemoryMb();
const list = await requestApi('GET', '/subdomains/muitas/versions');
ok(list.body.length === VERSIONS + 1, `the list has all ${VERSIONS} versions`, `${list.seconds.toFixed(1)} s`);
ok(
  readMemoryMb() - memoryBefore < 150,
  'the core uses less than 150 MB more after the list',
  `${readMemoryMb() - memoryBefore} MB more`,
);
const nextPublication = await requestApi('POST', '/subdomains/muitas/versions', createPackage('nova'));
ok(
  nextPublication.status === 201,
  'a further version is published',
  `${nextPublication.status} in ${nextPublication.seconds.toFixed(1)} s`,
);
ok(
  readMemoryMb() - memoryBefore < 250,
  'the core uses less than 250 MB more after the publication',
  `${readMemoryMb() - memoryBefore} MB more`,
);
await waitFor('the new version', async () => (await fetchPage('muitas')) === 'nova');
const requestedAt = performance.now();
const missingText = await fetchPage('muitas', '/missing.js');
ok(
  missingText !== 'nova',
  'a request for a missing file is not answered with the page',
  `${((performance.now() - requestedAt) / 1000).toFixed(2)} s`,
);

await stack.stop();
finish();
