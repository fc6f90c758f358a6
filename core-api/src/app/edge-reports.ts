/**
 * An edge reports counts, requests, and the served revision. An edge that may write to the database stores its reports
 * itself (`edge/config-sync/edge-store.ts`). An edge that may only read the SQLite file sends its reports to the core,
 * and this file stores them. `storeUsageReport` stores the counts in both cases.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Router } from 'express';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { recordKeyUsage } from '../features/gateway/keys/record-key-usage';
import { appendRequests } from '../features/gateway/requests/request-log.service';
import { claimUsageBatch, recordUsage } from '../features/gateway/usage/record-usage';
import { removeEdge, storeEdge } from '../features/rollout/live-edges';
import type { Config } from '../platform/config/config';
import type { Database } from '../platform/database/database';
import { SET_GROUP_ID } from '../platform/installation/file-mode';
import { readOrCreateText } from '../platform/secrets/secret-file';
import { isSameSecret } from '../platform/secrets/secret-text';
import { countedSubject } from '../platform/usage/counted-subject';

/** Path at which the core receives reports. It is outside of `/api`, so no public host forwards to it. */
export const EDGE_REPORTS_PATH = '/edge-reports';

/** Returns the path of the token file for reports to the core. A group that shares `DATA_DIR` may read that file. */
export const getEdgeTokenPath = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'edge.token');

const id = z.string().min(1).max(36);
const count = z.int().min(0);
const text = (max: number) => z.string().max(max);

/** The schema limits every value, so that a compromised edge can only send false reports. */
const edgeReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('usage'), edgeId: id, sequence: count, usage: z.array(countedSubject) }),
  z.object({
    type: z.literal('requests'),
    entries: z.array(
      z.object({
        at: z.iso.datetime(),
        kind: text(16),
        method: text(16),
        path: text(1024),
        status: count,
        reason: text(32).nullable(),
        ms: count,
        clientIp: text(64),
        requestId: text(64),
        keyId: id.nullable(),
        routeId: id.nullable(),
        subdomainId: id.nullable(),
        tenantId: id.nullable(),
        weight: count,
      }),
    ),
  }),
  z.object({
    type: z.literal('served'),
    edgeId: id,
    revision: count,
    refused: z.record(id, z.enum(['own', 'unusable'])),
  }),
  z.object({ type: z.literal('left'), edgeId: id }),
]);
export type EdgeReport = z.output<typeof edgeReport>;

/** A batch of counts. Each edge numbers its batches (`sequence`). */
type UsageReport = Omit<Extract<EdgeReport, { type: 'usage' }>, 'type'>;

/** Adds a numbered batch of counts to usage and keys. A batch that is sent twice is added once. */
export async function storeUsageReport(manager: EntityManager, report: UsageReport): Promise<void> {
  const { edgeId, sequence, usage } = report;
  if (!(await claimUsageBatch(manager, edgeId, sequence))) return;
  const keys = usage.flatMap(({ entityId: keyId, lastUsedAt, minutes }) =>
    lastUsedAt === undefined
      ? []
      : [{ keyId, lastUsedAt, requests: minutes.reduce((sum, { requests }) => sum + requests, 0) }],
  );
  await recordKeyUsage(manager, keys);
  await recordUsage(manager, usage);
}

/** Returns the token of reports to the core. The first start creates it. */
function readOrCreateToken(config: Pick<Config, 'DATA_DIR'>): string {
  const file = getEdgeTokenPath(config);
  const token = readOrCreateText(file, () => randomBytes(32).toString('base64url'));
  const isShared = (statSync(config.DATA_DIR).mode & SET_GROUP_ID) !== 0;
  chmodSync(file, isShared ? 0o640 : 0o600);
  return token;
}

/** Receives the reports of edges that run as a user who may only read the SQLite file, and stores them. */
export function createEdgeReportsRouter(config: Pick<Config, 'DATA_DIR'>, database: Database): Router {
  const token = readOrCreateToken(config);
  const router = express.Router();
  router.post(
    EDGE_REPORTS_PATH,
    (request, response, next) => {
      const [, givenToken = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (isSameSecret(givenToken, token)) next();
      else response.status(401).end();
    },
    express.json({ limit: '16mb', inflate: false }),
    async (request, response) => {
      const { success, data } = edgeReport.safeParse(request.body);
      if (!success) {
        response.status(400).end();
        return;
      }
      await database.concurrentWrite(async (manager) => {
        if (data.type === 'usage') await storeUsageReport(manager, data);
        else if (data.type === 'requests') await appendRequests(manager, data.entries);
        else if (data.type === 'served')
          await storeEdge(manager, { id: data.edgeId, revision: data.revision, refused: data.refused });
        else await removeEdge(manager, data.edgeId);
      });
      response.status(204).end();
    },
  );
  return router;
}
