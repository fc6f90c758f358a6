import { z } from 'zod';
import { countedSubject } from '../platform/usage/counted-subject';

/** Path at which the core receives reports. It is outside of `/api`, so no public host forwards to it. */
export const EDGE_REPORTS_PATH = '/edge-reports';

const id = z.string().min(1).max(36);
const count = z.int().min(0);
const text = (max: number) => z.string().max(max);

/** The schema limits every value, so that a compromised edge can only send false reports. */
export const edgeReport = z.discriminatedUnion('type', [
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
    refused: z.record(id, z.enum(['own', 'unusable'])), // By site owner; `own`: the target is this installation.
  }),
  z.object({ type: z.literal('left'), edgeId: id }),
]);
export type EdgeReport = z.output<typeof edgeReport>;
