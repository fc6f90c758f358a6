import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqlitePollSchedule } from './sqlite-poll-schedule';

const folder = mkdtempSync(join(tmpdir(), 'polls-'));
const log = join(folder, 'studio.sqlite-wal');
let now = 0;
beforeEach(() => {
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

test('SQLite is asked for 300 ms after each write of the log, and twice a second without writes', () => {
  const polls = new SqlitePollSchedule(log);
  const asked: number[] = [];
  for (; now < 3_000; now += 30) {
    if (now === 2_200) appendFileSync(log, 'page');
    if (polls.isDue()) asked.push(now - 1_000);
  }
  const burst = (from: number) => Array.from({ length: 10 }, (_, index) => from + 30 * index);
  expect(asked).toEqual([...burst(0), 780, ...burst(1_200), 1_980]);
});
