import { z } from 'zod';
import { auditActions, auditedEntities } from '../../platform/audit/audit-entry.entity';
import { paging } from '../../platform/http/lists/paging';
import { auditMessages as messages } from './audit.messages';

export const auditQuery = paging.extend({
  entity: z.enum(auditedEntities, messages.entity).optional(),
  /** Username of an account, or name of a command. */
  actor: z.string().trim().toLowerCase().max(100, messages.actorLong).optional(),
});
export type AuditQuery = z.output<typeof auditQuery>;

export const auditPage = z.object({
  entries: z.array(
    z
      .object({
        _id: z.uuid(),
        at: z.iso.datetime(),
        actor: z.string(),
        action: z.enum(auditActions),
        entity: z.enum(auditedEntities),
        entityId: z.string(),
        name: z.string(),
        changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
        requestId: z.string(),
        /** Address of the client; empty for a command. */
        address: z.string(),
        tokenId: z.uuid().nullable(),
        tokenName: z.string().nullable(),
        /** Number of events in this entry: more than 1 only for failed and limited logins. */
        count: z.int(),
      })
      .meta({
        id: 'AuditEntry',
        examples: [
          {
            _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f608',
            at: '2026-01-15T12:30:00.000Z',
            actor: 'admin',
            action: 'update',
            entity: 'subdomain',
            entityId: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
            name: 'loja',
            changes: { port: { before: 4000, after: 4001 } },
            requestId: '0d4b1c1e-6f0e-4c35-8a4e-6f1f3b0c9f11',
            address: '203.0.113.7',
            tokenId: null,
            tokenName: null,
            count: 1,
          },
        ],
      }),
  ),
  /** Names of the entities that the values of changes refer to, by id. */
  names: z.record(z.string(), z.string()),
  total: z.int(),
});
