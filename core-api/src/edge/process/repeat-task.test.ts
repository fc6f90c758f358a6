import { waitFor } from '../../../../scripts/testing/program';
import { repeatTask } from './repeat-task';

test('an outage is logged once when it begins and once when it ends, even with pauses between attempts', async () => {
  const lines: string[] = [];
  const outcomes: ('fails' | 'pauses' | 'works')[] = [
    ...(['works', 'fails', 'pauses', 'fails', 'pauses', 'pauses', 'fails', 'works'] as const),
    ...(['works', 'pauses', 'works', 'fails', 'works'] as const),
  ];
  const task = async () => {
    const outcome = outcomes.shift();
    if (outcome === 'fails') throw new Error('away');
    return outcome !== 'pauses';
  };
  const write = (...parts: unknown[]) => lines.push(String(parts.at(-1)));
  const log = { warn: write, info: write };
  repeatTask(task, { pauseMs: () => 1, name: 'reporting', log, isStopping: () => outcomes.length === 0 });
  await waitFor('the last run has ended', async () => lines.length >= 4);
  expect(lines).toEqual(['reporting failed', 'reporting works again', 'reporting failed', 'reporting works again']);
});

test('the current pause, or during a run the next pause, can be shortened but not lengthened', async () => {
  let runCount = 0;
  let endRun: () => void = () => undefined;
  const task = () => {
    runCount += 1;
    return new Promise<void>((resolve) => (endRun = resolve));
  };
  const log = { warn: () => undefined, info: () => undefined };
  const pauseMs = () => 3_600_000;
  const shortenPause = repeatTask(task, { pauseMs, name: 'reporting', log, isStopping: () => runCount >= 3 });
  shortenPause(0);
  endRun();
  await waitFor('the second run', async () => runCount === 2);
  endRun();
  await new Promise((resolve) => setImmediate(resolve));
  shortenPause(5);
  shortenPause(3_000_000);
  await waitFor('the third run', async () => runCount === 3);
  endRun();
});
