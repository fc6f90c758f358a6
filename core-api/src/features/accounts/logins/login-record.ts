import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { v7 as uuid } from 'uuid';
import { type AuditAction, AuditEntry } from '../../../platform/audit/audit-entry.entity';
import type { Database } from '../../../platform/database/database';
import type { RuleError } from '../../../platform/errors/rule-error';
import { type Paging, toSkipAndTake } from '../../../platform/http/lists/paging';
import { toLimitKey } from '../../../platform/net/network';
import { MINUTE_MS, toIsoFromNow } from '../../../platform/time/relative-time';
import { HashingQueueFullError } from '../passwords/passwords';
import { SecondFactorError } from '../second-factor/second-factor';

export type LoginAction = Extract<AuditAction, 'success' | 'failure' | 'limited' | 'recovery' | 'elevated'>;

/** The account of a login attempt; undefined for an unknown username, because unknown usernames are never stored. */
type KnownAccount = { _id: string; username: string } | undefined;

export interface LoginOrigin {
  address: string;
  requestId: string;
}

/** Whether a refused login counts as a guess. It does not if the queue was full or the code is missing. */
export const isFailedGuess = (error: RuleError, code: string | null | undefined): boolean =>
  !(error instanceof HashingQueueFullError) && !(error instanceof SecondFactorError && !code);

/** Failures of one account and network within this time share a row. */
const AGGREGATION_MS = 15 * MINUTE_MS;
/** Refused attempts are counted in memory and added to their row at this interval, so that a flood causes few writes. */
const LIMITED_INTERVAL_MS = 60_000;
const MAX_REFUSAL_COUNTERS = 10_000;

const CLOSE_OLD_ROW_SQL = 'UPDATE audit_entries SET "foldKey" = NULL WHERE "foldKey" = $1 AND "at" <= $2';
const INSERT_OR_COUNT_SQL = `INSERT INTO audit_entries
  (_id, "at", actor, action, entity, "entityId", name, changes, "requestId", address, "count", "foldKey")
  VALUES ($1, $2, $3, $4, 'login', $5, '', '{}', $6, $7, $8, $9)
  ON CONFLICT ("foldKey") DO UPDATE SET "count" = audit_entries."count" + excluded."count"`;

/** Stores logins in the audit trail, as entries of the entity `login` (contract §6). */
export class LoginRecord {
  private readonly refusals = new LRUCache<string, { unsaved: number; writtenAt: number }>({
    max: MAX_REFUSAL_COUNTERS,
    ttl: AGGREGATION_MS,
  });

  constructor(private readonly database: Pick<Database, 'read' | 'concurrentWrite'>) {}

  /** Logins of one account, newest first. */
  async list(accountId: string, query: Paging) {
    const [entries, total] = await this.database.read.findAndCount(AuditEntry, {
      where: { entity: 'login', entityId: accountId },
      order: { at: 'DESC', _id: 'DESC' },
      ...toSkipAndTake(query),
    });
    return { entries, total };
  }

  /** Stores a login. Failures, and refusals by a limit, are added to the row of their account and network. */
  async add(action: LoginAction, account: KnownAccount, origin: LoginOrigin): Promise<void> {
    const isAggregated = action === 'failure' || action === 'limited';
    const key = hash('sha256', [action, account?._id ?? '', toLimitKey(origin.address)].join('\0'));
    const count = action === 'limited' ? this.countRefusal(key) : 1;
    if (count === 0) return;
    const { requestId, address } = origin;
    await this.database.concurrentWrite(async (manager) => {
      if (isAggregated) await manager.query(CLOSE_OLD_ROW_SQL, [key, toIsoFromNow(-AGGREGATION_MS)]);
      await manager.query(INSERT_OR_COUNT_SQL, [
        uuid(),
        toIsoFromNow(0),
        account?.username ?? '',
        action,
        account?._id ?? '',
        requestId.slice(0, 128),
        address.slice(0, 45),
        count,
        isAggregated ? key : null,
      ]);
    });
  }

  /** Counts a refused attempt. @returns how many refusals to add to the row; 0 within the interval after a write */
  private countRefusal(key: string): number {
    const now = Date.now();
    const counter = this.refusals.get(key);
    const unsaved = (counter?.unsaved ?? 0) + 1;
    const isDue = !counter || now - counter.writtenAt >= LIMITED_INTERVAL_MS;
    this.refusals.set(key, isDue ? { unsaved: 0, writtenAt: now } : { unsaved, writtenAt: counter.writtenAt });
    return isDue ? unsaved : 0;
  }
}
