import type { EntityManager } from 'typeorm';
import { recordKeyUsage } from '../features/gateway/keys/record-key-usage';
import { appendRequests } from '../features/gateway/requests/request-log.service';
import { claimUsageBatch, recordUsage } from '../features/gateway/usage/record-usage';
import { removeEdge, storeEdge } from '../features/rollout/live-edges';
import type { EdgeReport } from './edge-report.schema';

type UsageReport = Extract<EdgeReport, { type: 'usage' }>;

/** Called by an edge, or by the core for an edge that may not write to the database. */
export async function storeEdgeReport(manager: EntityManager, report: EdgeReport): Promise<void> {
  if (report.type === 'usage') await storeUsage(manager, report);
  else if (report.type === 'requests') await appendRequests(manager, report.entries);
  else if (report.type === 'served')
    await storeEdge(manager, { id: report.edgeId, revision: report.revision, refused: report.refused });
  else await removeEdge(manager, report.edgeId);
}

/** Adds the counts to usage and keys. Each edge numbers its reports, and a report that is sent twice is added once. */
async function storeUsage(manager: EntityManager, { edgeId, sequence, usage }: UsageReport): Promise<void> {
  if (!(await claimUsageBatch(manager, edgeId, sequence))) return;
  const usedKeys = usage.flatMap(({ entityId: keyId, lastUsedAt, minutes }) =>
    lastUsedAt === undefined
      ? []
      : [{ keyId, lastUsedAt, requests: minutes.reduce((sum, { requests }) => sum + requests, 0) }],
  );
  await recordKeyUsage(manager, usedKeys);
  await recordUsage(manager, usage);
}
