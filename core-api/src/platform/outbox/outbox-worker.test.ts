import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { waitFor } from '../../../../scripts/testing/program';
import { entities } from '../../app/entities';
import { ContactDelivery, ContactMessage } from '../../features/contact/contact.entity';
import { createPostgresDatabase } from '../../testing/core';
import { createDatabase, type Database } from '../database/database';
import { OutboxWorker } from './outbox-worker';

const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
let database: Database;
let worker: OutboxWorker<ContactDelivery>;
beforeAll(async () => {
  database = createDatabase({ DATA_DIR: folder, DATABASE_URL: await createPostgresDatabase('outbox') }, entities);
  await database.open({ migrate: true });
});
afterAll(async () => {
  await worker.stop();
  await database.close();
  rmSync(folder, { recursive: true });
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

async function addDelivery(_id: string, nextAttemptAt: string): Promise<void> {
  const texts = { name: 'Ana', email: 'ana@example.com', message: 'Oi', address: '192.0.2.1' };
  const delivery = { messageId: _id, channel: 'email' as const, state: 'pending' as const, attempts: 1 };
  await database.concurrentWrite(async (manager) => {
    await manager.insert(ContactMessage, { _id, ...texts, createdAt: inMinutes(0) });
    await manager.insert(ContactDelivery, { ...delivery, nextAttemptAt });
  });
}

test('after the clock was set back, a delivery whose next attempt is beyond the longest delay is sent now', async () => {
  const sentIds: string[] = [];
  worker = new OutboxWorker(
    database,
    {
      name: 'test',
      entity: ContactDelivery,
      scope: { channel: 'email' },
      toPrimaryKey: ({ messageId, channel }) => ({ messageId, channel }),
      send: async ({ messageId }) => void sentIds.push(messageId),
    },
    pino({ level: 'silent' }),
  );
  worker.start();
  await addDelivery('within-the-delay', inMinutes(50)); // The longest delay is an hour.
  await addDelivery('beyond-the-delay', inMinutes(24 * 60));
  await addDelivery('due', inMinutes(0));
  worker.wake();
  await waitFor('two deliveries', () => sentIds.length === 2);
  await addDelivery('second-beyond-the-delay', inMinutes(24 * 60));
  worker.wake();
  await waitFor('the delivery that the wrong clock scheduled', () => sentIds.length === 3, 10);
  expect(sentIds.sort()).toEqual(['beyond-the-delay', 'due', 'second-beyond-the-delay']);
});
