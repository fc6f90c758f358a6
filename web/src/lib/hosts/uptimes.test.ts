import { act, renderHook } from '@testing-library/react';
import { UptimeReader, useUptime } from './uptimes';

const createUptime = (lastIncident: { startedAt: string; endedAt: string | null } | null) => ({
  id: 'loja',
  percent: 100,
  days: [],
  incidents: lastIncident ? 1 : 0,
  lastIncident,
});

/** Renders a row. Each read of the server takes the next of these responses. */
function renderRow(responses: ReturnType<typeof createUptime>[]) {
  const reader = new UptimeReader(async () => responses.splice(0, 1));
  const hook = renderHook((health) => useUptime(reader, 'loja', health), {
    initialProps: { isDown: false, checkedAt: '2026-01-15T12:00:00Z' },
  });
  return { ...hook, remainingResponses: () => responses.length };
}

beforeEach(() => {
  window.requestIdleCallback = (callback) => {
    callback({ didTimeout: false, timeRemaining: () => 1 });
    return 0;
  };
});

/** Waits until the pending responses have been rendered. */
const settle = () => act(async () => {});

test('while a host is down, its uptime is read again after each check until it contains the outage', async () => {
  const outage = createUptime({ startedAt: '2026-01-15T12:01:00Z', endedAt: null });
  const { result, rerender, remainingResponses } = renderRow([
    createUptime(null),
    createUptime(null),
    outage,
    createUptime(null),
  ]);
  await settle();
  rerender({ isDown: true, checkedAt: '2026-01-15T12:01:00Z' });
  await settle();
  expect(result.current?.incidents).toBe(0);
  rerender({ isDown: true, checkedAt: '2026-01-15T12:01:10Z' });
  await settle();
  expect(result.current?.incidents).toBe(1);
  rerender({ isDown: true, checkedAt: '2026-01-15T12:02:10Z' });
  await settle();
  expect(remainingResponses()).toBe(1);
});

test('an uptime that agrees with the last check is not read again', async () => {
  const { rerender, remainingResponses } = renderRow([createUptime(null), createUptime(null)]);
  await settle();
  rerender({ isDown: false, checkedAt: '2026-01-15T12:01:00Z' });
  await settle();
  expect(remainingResponses()).toBe(1);
});
