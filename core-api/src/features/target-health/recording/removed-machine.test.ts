import { waitFor } from '../../../../../scripts/testing/program';
import { hashProbeTarget } from '../../../platform/net/probe-target';
import { Core, listen } from '../../../testing/core';
import { createSubdomain } from '../../../testing/records';
import { MAX_RESULT_AGE_MS } from '../is-down';

type Listening = Awaited<ReturnType<typeof listen>>;

let core: Core;
let staleTarget: Listening;
let freshTarget: Listening;
beforeAll(async () => {
  staleTarget = await listen((_request, response) => response.end());
  freshTarget = await listen((_request, response) => response.end());
  core = await new Core({ HEALTH_INTERVAL_S: '3600' }).start();
});
afterAll(async () => {
  await core?.stop();
  for (const server of [staleTarget, freshTarget]) await server?.stop();
});

test('the stored failure of a removed machine does not count in lists, in the overview or as an alert', async () => {
  const storeOutage = (port: number, ageMs: number) => {
    const at = new Date(Date.now() - ageMs).toISOString();
    const key = hashProbeTarget({ kind: 'http', host: '127.0.0.1', port, tls: false });
    return core.query(
      `INSERT INTO target_health (target, "machineId", state, "checkedAt", confirmed, "confirmedSince")
        VALUES ('${key}', 'outra', 'down', '${at}', 'down', '${at}')`,
    );
  };
  for (const [name, { port }] of Object.entries({ 'maquina-removida': staleTarget, 'maquina-viva': freshTarget })) {
    await createSubdomain(core, name, { port });
    expect((await core.request('POST', `/subdomains/${name}/check`)).body.health).toMatchObject({ state: 'up' });
  }
  await storeOutage(staleTarget.port, MAX_RESULT_AGE_MS + 60_000);
  await storeOutage(freshTarget.port, 0);
  const [alert] = await waitFor('the alert', async () => {
    const { alerts } = (await core.request('GET', '/alerts?kind=target_down')).body;
    return alerts.length > 0 && alerts;
  });
  expect(alert.subject.name).toBe('maquina-viva');
  expect((await core.request('GET', '/alerts?kind=target_down')).body.total).toBe(1);
  const listByState = async (state: string) => {
    const { subdomains } = (await core.request('GET', `/subdomains?search=maquina&state=${state}`)).body;
    return subdomains.map(({ subdomain }: { subdomain: string }) => subdomain);
  };
  expect([await listByState('up'), await listByState('down')]).toEqual([['maquina-removida'], ['maquina-viva']]);
  const { first } = (await core.request('GET', '/overview')).body.subdomainsDown;
  const names = first.map(({ name }: { name: string }) => name);
  expect(names).toContain('maquina-viva');
  expect(names).not.toContain('maquina-removida');
  expect((await core.request('GET', '/subdomains?search=maquina-removida')).body.subdomains[0].health.state).toBe('up');
});
