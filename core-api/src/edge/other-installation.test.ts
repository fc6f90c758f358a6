import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../scripts/testing/program';
import { Core } from '../testing/core';
import { Edge, sendRequest } from '../testing/edge';

const snapshotOf = (core: Core) => join(core.folder, 'edge/snapshot.json');
const paused = { description: 'x', type: 'proxy', port: 9, paused: true };

/** A paused site has the status 503, an unknown site 404. */
const statusOf = async (edge: Edge, label: string) =>
  (await sendRequest(edge.port, { host: `${label}.localhost` })).status;

test('a database of another installation replaces neither the sites that are served nor their snapshot', async () => {
  const [ownCore, otherCore] = await Promise.all([new Core().start(), new Core().start()]);
  const first = new Edge(ownCore, { EDGE_WORKERS: '1' });
  const second = new Edge(otherCore, { EDGE_WORKERS: '1', LOG_LEVEL: 'info' });
  try {
    await ownCore.request('POST', '/subdomains', { body: { ...paused, subdomain: 'nossa' } });
    await otherCore.request('POST', '/subdomains', { body: { ...paused, subdomain: 'deles' } });
    await first.start();
    await waitFor('the site is served', async () => (await statusOf(first, 'nossa')) === 503);
    await waitFor(
      'the snapshot has it',
      async () => existsSync(snapshotOf(ownCore)) && readFileSync(snapshotOf(ownCore), 'utf8').includes('nossa'),
    );
    await first.stop();

    mkdirSync(join(otherCore.folder, 'edge'), { recursive: true });
    copyFileSync(snapshotOf(ownCore), snapshotOf(otherCore));
    await second.start();
    await waitFor('the edge says why', async () => second.output.includes('belongs to another installation'));
    expect([await statusOf(second, 'nossa'), await statusOf(second, 'deles')]).toEqual([503, 404]);
    expect(readFileSync(snapshotOf(otherCore), 'utf8')).toBe(readFileSync(snapshotOf(ownCore), 'utf8'));
  } finally {
    await Promise.all([first, second].map((edge) => edge.stop()));
    await Promise.all([ownCore, otherCore].map((core) => core.stop()));
  }
});
