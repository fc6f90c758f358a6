import { Gauge, type Metric } from 'prom-client';
import { type EntityTarget, type FindOptionsWhere, IsNull, MoreThan, Not, type ObjectLiteral } from 'typeorm';
import { AlertMessage } from '../features/alerts/alert.entity';
import { BackupRun } from '../features/backups/backup.entity';
import { ContactDelivery } from '../features/contact/contact.entity';
import { DomainStatus } from '../features/domains/domain-status.entity';
import { TargetHealth } from '../features/target-health/target-health.entity';
import { ConfigurationRevision } from '../platform/config-revisions/config-revision.entity';
import type { Database } from '../platform/database/database';
import { withTimeBudget } from '../platform/database/deadline';
import { toIsoFromNow } from '../platform/time/iso-from-now';
import { DAY_MS } from '../platform/time/units';

/** Time limit for the query of one gauge, ms. */
const QUERY_TIMEOUT_MS = 2_000;

/** Returns gauges whose values are read at each scrape. They have no value while the database is unreachable. */
export function createInstallationMetrics({ read }: Pick<Database, 'read'>): Metric[] {
  /** @param readValue resolves to undefined if the gauge has no value */
  const createGauge = (name: string, help: string, readValue: () => Promise<number | undefined>) =>
    new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        this.remove();
        const value = await withTimeBudget(QUERY_TIMEOUT_MS, readValue).catch(() => undefined);
        if (value !== undefined) this.set(value);
      },
    });
  /** Reads the earliest or latest instant of a column, in seconds since the epoch. */
  async function readInstant<Row extends ObjectLiteral>(
    entity: EntityTarget<Row>,
    column: keyof Row & string,
    direction: 'ASC' | 'DESC',
    where: FindOptionsWhere<Row>,
  ): Promise<number | undefined> {
    const row = await read
      .createQueryBuilder(entity, 'row')
      .select(`row.${column}`, 'at')
      .where(where)
      .orderBy(`row.${column}`, direction)
      .limit(1)
      .getRawOne<{ at: string }>();
    return row && Date.parse(row.at) / 1000;
  }
  /** Counts deliveries that failed finally within a day, and deliveries whose last attempt failed. */
  const countFailing = (entity: typeof ContactDelivery | typeof AlertMessage) => async () => {
    const dayAgo = toIsoFromNow(-DAY_MS);
    const finalFailure = { state: 'failed', nextAttemptAt: MoreThan(dayAgo) } as const;
    return read.count<ContactDelivery | AlertMessage>(entity, {
      where: [finalFailure, { state: 'pending', lastError: Not(IsNull()) }],
    });
  };
  return [
    createGauge(
      'core_certificate_end_timestamp_seconds',
      'Earliest end of a certificate of a custom domain in use.',
      () => readInstant(DomainStatus, 'expiresAt', 'ASC', { dns: 'ok', expiresAt: Not(IsNull()) }),
    ),
    createGauge('core_targets_down', 'Targets of hosts that several checks in a row found down.', () =>
      read.countBy(TargetHealth, { confirmed: 'down' }),
    ),
    createGauge(
      'core_contact_deliveries_failing',
      'Deliveries of contact messages that failed and wait for another attempt, or were given up within a day.',
      countFailing(ContactDelivery),
    ),
    createGauge(
      'core_alert_deliveries_failing',
      'Messages about alerts that failed and wait for another attempt, or were given up within a day.',
      countFailing(AlertMessage),
    ),
    createGauge('core_backup_verified_timestamp_seconds', 'Last verification of a backup that is still kept.', () =>
      readInstant(BackupRun, 'verifiedAt', 'DESC', {
        outcome: 'verified',
        verifiedAt: Not(IsNull()),
        removedAt: IsNull(),
      }),
    ),
    createGauge(
      'core_database_read_seconds',
      'Time of one small read of the database, its wait included.',
      async () => {
        const startedAt = performance.now();
        await read.find(ConfigurationRevision, { take: 1 });
        return (performance.now() - startedAt) / 1000;
      },
    ),
  ];
}
