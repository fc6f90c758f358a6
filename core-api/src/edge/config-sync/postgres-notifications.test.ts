import { Client } from 'pg';
import { waitFor } from '../../../../scripts/testing/program';
import { createPostgresDatabase } from '../../testing/core';
import { MAX_POLL_PAUSE_MS, POLL_PAUSE_MS } from './change-signal';
import { PostgresNotifications } from './postgres-notifications';

describe('notifications of PostgreSQL', () => {
  let url: string;
  let core: Client;

  beforeAll(async () => {
    url = (await createPostgresDatabase('notifications')) ?? '';
    core = new Client({ connectionString: url });
    await core.connect();
  });
  afterAll(() => core?.end());

  test('signal a commit, even after the connection was lost and opened again', async () => {
    const notifications = new PostgresNotifications(url);
    const pauses: number[] = [];
    expect(notifications.pauseMs).toBe(POLL_PAUSE_MS);
    notifications.watch((pauseMs) => pauses.push(pauseMs));
    // One signal is sent when `LISTEN` begins, because a change may have been committed before.
    await waitFor('the client listens', async () => pauses.length === 1);
    expect(notifications.pauseMs).toBe(MAX_POLL_PAUSE_MS);
    await core.query('BEGIN');
    await core.query('NOTIFY configuration');
    await core.query('ROLLBACK');
    await core.query('NOTIFY configuration');
    await waitFor('the committed change is signalled', async () => pauses.length === 2);
    await core.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await waitFor('the loss of the connection is signalled', async () => pauses.length > 2);
    expect(pauses).toEqual([0, 0, POLL_PAUSE_MS]);
    expect(notifications.pauseMs).toBe(POLL_PAUSE_MS);
    await waitFor('the client listens again', async () => notifications.pauseMs === MAX_POLL_PAUSE_MS);
    const pauseCountBefore = pauses.length;
    await core.query('NOTIFY configuration');
    await waitFor('the next change is signalled', async () => pauses.length > pauseCountBefore);
    notifications.close();
  });
});
