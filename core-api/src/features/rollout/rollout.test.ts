import { waitFor } from '../../../../scripts/testing/program';
import { Core } from '../../testing/core';
import { Edge } from '../../testing/edge';
import { createSubdomain } from '../../testing/records';

const environment = { EDGE_WORKERS: '1' };
let core: Core;
const edges: Edge[] = [];
beforeAll(async () => {
  core = await new Core().start();
  await startEdge();
  await waitFor('a report of the edge', hasEdgeReported);
});
afterAll(async () => {
  for (const edge of edges) await edge.stop();
  await core?.stop();
});

const startEdge = async () => {
  const edge = await new Edge(core, environment).start();
  edges.push(edge);
  return edge;
};
let saveCount = 0;
/** Saves a new subdomain. @returns its rollout status */
const saveSubdomain = async () => {
  saveCount += 1;
  return (await createSubdomain(core, `site-${saveCount}`, { port: 4000 })).live.state;
};
const hasEdgeReported = async () => (await core.query('SELECT id FROM edges')).length > 0;

test('a save becomes active at a running edge, even long after the last report of the edge', async () => {
  expect(await saveSubdomain()).toBe('active');
  // An edge on SQLite reports every 5 minutes. An edge on PostgreSQL counts as stopped after 5 s without a report.
  if (!core.database.DATABASE_URL) {
    const at = new Date(Date.now() - 4 * 60_000).toISOString();
    await core.query(`UPDATE edges SET "seenAt" = '${at}' WHERE "seenAt" = (SELECT MAX("seenAt") FROM edges)`);
  }
  expect(await saveSubdomain()).toBe('active');
});

test('saves become active at another edge if a killed edge has not reported for five seconds', async () => {
  await edges.at(-1)?.stop('SIGKILL');
  const at = new Date(Date.now() - 6_000).toISOString();
  await core.query(`UPDATE edges SET "seenAt" = '${at}'`);
  expect(await saveSubdomain()).toBe('pending');
  await startEdge();
  await waitFor('a save that is active', async () => (await saveSubdomain()) === 'active');
  expect(await saveSubdomain()).toBe('active');
});
