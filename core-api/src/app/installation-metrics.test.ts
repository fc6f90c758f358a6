import { Core } from '../testing/core';

let core: Core;
beforeAll(async () => {
  core = await new Core().start();
});
afterAll(() => core?.stop());

async function readGauge(name: string): Promise<number> {
  const text = await (await fetch(`${core.url}/metrics`)).text();
  expect(text).toContain(`# TYPE ${name} gauge\n`);
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

test('the metric of the earliest certificate expiry ignores domains whose DNS is wrong', async () => {
  expect(await readGauge('core_certificate_end_timestamp_seconds')).toBeNaN();
  const project = await core.create('/projects', { name: 'CRM', type: 'proxy', apiPort: 4000 });
  for (const [label, dns, year] of [
    ['um', 'ok', 2032],
    ['dois', 'ok', 2031],
    ['tres', 'wrong', 2030],
  ] as const) {
    const tenant = await core.create('/tenants', { name: label, subdomain: label, project: project._id });
    await core.create(`/tenants/${tenant._id}/domain`, { domain: `${label}.com.br` });
    const assignments = `dns = '${dns}', "expiresAt" = '${year}-01-01T00:00:00.000Z'`;
    await core.query(`UPDATE domain_status SET ${assignments} WHERE host = '${label}.com.br'`);
  }
  expect(await readGauge('core_certificate_end_timestamp_seconds')).toBe(Date.UTC(2031) / 1000);
});

test('the number of targets that are down is a metric', async () => {
  for (const [target, confirmed] of Object.entries({ a: 'down', b: 'up', c: 'down' }))
    await core.query(
      `INSERT INTO target_health (target, "machineId", state, "checkedAt", confirmed)
       VALUES ('${target}', '', 'up', '2026-01-01T00:00:00.000Z', '${confirmed}')`,
    );
  expect(await readGauge('core_targets_down')).toBe(2);
});

test('the metrics of failing deliveries count retries, and deliveries that were given up within a day', async () => {
  const overDayAgo = new Date(Date.now() - 25 * 3_600_000).toISOString();
  const now = new Date().toISOString();
  for (const [state, lastError, at] of [
    ['failed', `'x'`, now],
    ['failed', `'x'`, overDayAgo],
    ['pending', `'x'`, '2099-01-01T00:00:00.000Z'],
    ['pending', 'NULL', '2099-01-01T00:00:00.000Z'],
    ['sent', `'x'`, now],
  ]) {
    const { _id: messageId } = await core.create('/contact', { name: 'Ana', email: 'ana@exemplo.com', message: 'Olá' });
    await core.query(
      `INSERT INTO contact_deliveries ("messageId", channel, state, attempts, "piecesSent", "nextAttemptAt", "lastError")
       VALUES ('${messageId}', 'x', '${state}', 1, 0, '${at}', ${lastError})`,
    );
  }
  expect(await readGauge('core_contact_deliveries_failing')).toBe(2);
  expect(await readGauge('core_alert_deliveries_failing')).toBe(0);
});

test('the time of the last verification of a stored backup is a metric', async () => {
  expect(await readGauge('core_backup_verified_timestamp_seconds')).toBeNaN();
  const sqlNull = 'NULL';
  for (const [id, outcome, year, removedAt] of [
    ['a', 'verified', 2025, sqlNull],
    ['b', 'verified', 2026, `'2026-02-01T00:00:00.000Z'`],
    ['c', 'failed', 2026, sqlNull],
  ])
    await core.query(
      `INSERT INTO backup_runs (_id, running, "machineId", "heartbeatAt", "trigger", outcome, "startedAt", "verifiedAt",
         "objectName", location, bytes, tables, access, "removedAt")
       VALUES ('${id}', false, '', '2025-01-01T00:00:00.000Z', 'manual', '${outcome}', '2025-01-01T00:00:00.000Z',
         '${year}-01-01T00:00:00.000Z', '', '', 1, '{}', '', ${removedAt})`,
    );
  expect(await readGauge('core_backup_verified_timestamp_seconds')).toBe(Date.UTC(2025) / 1000);
});

test('the durations of database reads and writes are metrics', async () => {
  const text = await (await fetch(`${core.url}/metrics`)).text();
  expect(await readGauge('core_database_read_seconds')).toBeGreaterThan(0);
  expect(await readGauge('core_database_writes_pending')).toBe(0);
  for (const name of ['wait', 'duration'])
    expect(text).toMatch(new RegExp(`^core_database_write_${name}_seconds_count [1-9]`, 'm'));
});
