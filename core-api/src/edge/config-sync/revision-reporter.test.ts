import type { Edge } from '../../features/rollout/edge.entity';
import { RevisionReporter } from './revision-reporter';

test('a changed refusal is reported before the next heartbeat, and an unchanged state is not', async () => {
  const reports: Pick<Edge, 'revision' | 'refused'>[] = [];
  const store = {
    heartbeatMs: 60_000,
    reportServed: async (_id: string, report: Pick<Edge, 'revision' | 'refused'>) => void reports.push(report),
    removeEdge: async () => undefined,
  };
  const reporter = new RevisionReporter(store, 'edge');
  const apply = (worker: number, refused: Parameters<RevisionReporter['onApplied']>[1]['refused']) => {
    reporter.onApplied(worker, { type: 'applied', revision: 7, refused });
    return reporter.report();
  };
  expect(await apply(1, [])).toBe(true);
  expect(await apply(2, [['site', 'unusable']])).toBe(true);
  expect(await apply(1, [['site', 'unusable']])).toBe(false);
  reporter.onWorkerExited(2);
  expect(await apply(1, [])).toBe(true);
  expect(reports).toEqual([
    { revision: 7, refused: {} },
    { revision: 7, refused: { site: 'unusable' } },
    { revision: 7, refused: {} },
  ]);
});
