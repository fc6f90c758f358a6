import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../../../scripts/testing/program';
import { Core } from '../../../testing/core';
import { Edge, sendRequest } from '../../../testing/edge';

const getSnapshotPath = (core: Core) => join(core.folder, 'edge/snapshot.json');
const pausedSite = { description: 'x', type: 'proxy', port: 9, paused: true };

/** Returns the status of a site, which is 503 if the site is paused and 404 if it is unknown. */
const requestStatus = async (edge: Edge, label: string) =>
  (await sendRequest(edge.port, { host: `${label}.localhost` })).status;

test('a database of another installation replaces neither the sites that are served nor their snapshot', async () => {
  const [ownCore, otherCore] = await Promise.all([new Core().start(), new Core().start()]);
  const ownEdge = new Edge(ownCore, { EDGE_WORKERS: '1' });
  const otherEdge = new Edge(otherCore, { EDGE_WORKERS: '1', LOG_LEVEL: 'info' });
  try {
    await ownCore.request('POST', '/subdomains', { body: { ...pausedSite, subdomain: 'nossa' } });
    await otherCore.request('POST', '/subdomains', { body: { ...pausedSite, subdomain: 'deles' } });
    await ownEdge.start();
    await waitFor('the site is served', async () => (await requestStatus(ownEdge, 'nossa')) === 503);
    await waitFor(
      'the snapshot contains the site',
      async () =>
        existsSync(getSnapshotPath(ownCore)) && readFileSync(getSnapshotPath(ownCore), 'utf8').includes('nossa'),
    );
    await ownEdge.stop();

    mkdirSync(join(otherCore.folder, 'edge'), { recursive: true });
    copyFileSync(getSnapshotPath(ownCore), getSnapshotPath(otherCore));
    await otherEdge.start();
    await waitFor('the edge logs the reason', async () => otherEdge.output.includes('belongs to another installation'));
    expect([await requestStatus(otherEdge, 'nossa'), await requestStatus(otherEdge, 'deles')]).toEqual([503, 404]);
    expect(readFileSync(getSnapshotPath(otherCore), 'utf8')).toBe(readFileSync(getSnapshotPath(ownCore), 'utf8'));
  } finally {
    await Promise.all([ownEdge, otherEdge].map((edge) => edge.stop()));
    await Promise.all([ownCore, otherCore].map((core) => core.stop()));
  }
});
