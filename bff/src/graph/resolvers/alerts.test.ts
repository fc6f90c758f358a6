import { type Entity, GraphStack, MISSING_ID } from '../../testing/graph-stack';

let graph: GraphStack;

beforeAll(async () => {
  graph = await GraphStack.start();
});
afterAll(() => graph.stop());

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Creates a subdomain. @returns it as the subject of a rule, a mute or a window */
async function createSubject(id: string) {
  await graph.run('createSubdomain', { input: { subdomain: id, description: 'x', type: 'proxy', port: 8082 } });
  return { type: 'subdomain', id };
}

test('alerts are listed, and an unknown alert is not acknowledged', async () => {
  expect(await graph.run('alerts', { state: null, kind: null, page: 1, limit: 15 })).toEqual({
    alerts: expect.any(Array),
    total: expect.any(Number),
  });
  expect((await graph.request('acknowledgeAlert', { id: MISSING_ID, note: null })).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
});

test('alert rules are listed, created, changed and deleted', async () => {
  const subject = await createSubject('com-regra');
  const rules = await graph.run<{ kind: string }[]>('alertRules');
  expect(rules).toContainEqual(
    expect.objectContaining({
      kind: 'disk',
      subject: null,
      thresholds: expect.arrayContaining([{ name: 'gib', value: 2 }]),
    }),
  );
  const rule = await graph.run<Entity>('createAlertRule', {
    input: { kind: 'errors', subject, thresholds: [{ name: 'percent', value: 20 }] },
  });
  expect(await graph.run('updateAlertRule', { id: rule._id, input: { enabled: false }, version: 1 })).toMatchObject({
    enabled: false,
    version: 2,
  });
  expect(await graph.run('deleteAlertRule', { id: rule._id })).toBe(true);
});

test('an alert channel is created, tested, changed and deleted, and gets a new secret', async () => {
  const input = { name: 'Gancho', type: 'webhook', url: `${graph.service.url}/gancho` };
  const createdChannel = await graph.run<{ channel: Entity; secret: string }>('createAlertChannel', { input });
  expect(createdChannel.secret).toMatch(/^whsec_/);
  const { _id: id } = createdChannel.channel;
  expect(await graph.run('testAlertChannel', { id })).toBe(true);
  const rotatedChannel = await graph.run<{ secret: string }>('rotateAlertChannelSecret', { id, graceSeconds: 60 });
  expect(rotatedChannel.secret).not.toBe(createdChannel.secret);
  expect(await graph.run('updateAlertChannel', { id, input: { minSeverity: 'critical' } })).toMatchObject({
    minSeverity: 'critical',
  });
  expect(await graph.run('alertChannels')).toMatchObject([{ name: 'Gancho', previousSecretUntil: expect.any(String) }]);
  expect(await graph.run('deleteAlertChannel', { id })).toBe(true);
});

test('a subject is muted and unmuted', async () => {
  const subject = await createSubject('silenciado');
  const mute = await graph.run<Entity>('mute', { input: { subject, until: inHours(1), reason: 'Migração' } });
  expect(await graph.run('mutes')).toMatchObject([{ _id: mute._id, kind: null }]);
  expect(await graph.run('unmute', { id: mute._id })).toBe(true);
});

test('maintenance windows are created, changed, listed and deleted', async () => {
  const subject = await createSubject('em-obras');
  const maintenanceWindow = {
    title: 'Obras',
    subjects: [subject],
    startsAt: inHours(1),
    endsAt: inHours(2),
    weekdays: [1],
  };
  const storedWindow = await graph.run<Entity>('createMaintenanceWindow', { input: maintenanceWindow });
  const titleChange = { id: storedWindow._id, input: { title: 'Reforma' }, version: 1 };
  expect(await graph.run('updateMaintenanceWindow', titleChange)).toMatchObject({ title: 'Reforma', active: false });
  expect(await graph.run('maintenanceWindows')).toMatchObject([{ weekdays: [1] }]);
  expect(await graph.run('deleteMaintenanceWindow', { id: storedWindow._id })).toBe(true);
});

test('the uptime of a subdomain that was never checked is unknown', async () => {
  await createSubject('avisado');
  expect(await graph.run('uptimes', { subdomains: ['avisado', 'nenhum'], tenants: null })).toMatchObject({
    uptimes: [{ id: 'avisado', percent: null, incidents: 0, lastIncident: null }],
  });
  expect(await graph.run('uptime', { subdomain: 'avisado', tenant: null, days: 7 })).toMatchObject({
    incidents: [],
  });
});
