import { Gauge, type Metric } from 'prom-client';
import { type EntityTarget, type FindOptionsWhere, IsNull, MoreThan, Not, type ObjectLiteral } from 'typeorm';
import { AlertMessage } from '../features/alerts/alert.entity';
import { BackupRun } from '../features/backups/backup.entity';
import { ContactDelivery } from '../features/contact/contact.entity';
import { DomainStatus } from '../features/domains/checks/domain-status.entity';
import { TargetHealth } from '../features/target-health/target-health.entity';
import { ConfigurationRevision } from '../platform/config-revisions/config-revision.entity';
import { withTimeBudget } from '../platform/database/connection/deadline';
import type { Database } from '../platform/database/database';
import { DAY_MS, toIsoFromNow } from '../platform/time/relative-time';

const QUERY_TIMEOUT_MS = 2_000;

type ReadValue = (manager: Database['read']) => Promise<number | undefined>;

/** Reads the earliest or latest instant of a column, in seconds since the epoch. */
const readInstant =
  <Row extends ObjectLiteral>(
    entity: EntityTarget<Row>,
    column: keyof Row & string,
    direction: 'ASC' | 'DESC',
    where: FindOptionsWhere<Row>,
  ): ReadValue =>
  async (manager) => {
    const query = manager.createQueryBuilder(entity, 'row').select(`row.${column}`, 'at').where(where);
    const row = await query.orderBy(`row.${column}`, direction).limit(1).getRawOne<{ at: string }>();
    return row && Date.parse(row.at) / 1000;
  };

/** Counts deliveries given up in the last 24 h (the last attempt set `nextAttemptAt`), and pending ones that failed. */
const countFailing =
  (entity: typeof ContactDelivery | typeof AlertMessage): ReadValue =>
  (manager) => {
    const finalFailure = { state: 'failed', nextAttemptAt: MoreThan(toIsoFromNow(-DAY_MS)) } as const;
    const where = [finalFailure, { state: 'pending', lastError: Not(IsNull()) } as const];
    return manager.count<ContactDelivery | AlertMessage>(entity, { where });
  };

const measureRead: ReadValue = async (manager) => {
  const startedAt = performance.now();
  await manager.find(ConfigurationRevision, { take: 1 });
  return (performance.now() - startedAt) / 1000;
};

const keptBackup = { outcome: 'verified', verifiedAt: Not(IsNull()), removedAt: IsNull() } as const;

const gauges: readonly [name: string, help: string, readValue: ReadValue][] = [
  [
    'core_certificate_end_timestamp_seconds',
    'Earliest end of a certificate of a custom domain in use.',
    readInstant(DomainStatus, 'expiresAt', 'ASC', { dns: 'ok', expiresAt: Not(IsNull()) }),
  ],
  [
    'core_targets_down',
    'Targets of hosts that several checks in a row found down.',
    (manager) => manager.countBy(TargetHealth, { confirmed: 'down' }),
  ],
  [
    'core_contact_deliveries_failing',
    'Deliveries of contact messages that failed and wait for another attempt, or were given up within a day.',
    countFailing(ContactDelivery),
  ],
  [
    'core_alert_deliveries_failing',
    'Messages about alerts that failed and wait for another attempt, or were given up within a day.',
    countFailing(AlertMessage),
  ],
  [
    'core_backup_verified_timestamp_seconds',
    'Last verification of a backup that is still kept.',
    readInstant(BackupRun, 'verifiedAt', 'DESC', keptBackup),
  ],
  ['core_database_read_seconds', 'Time of one small read of the database, its wait included.', measureRead],
];

/** Returns gauges whose values are read at each scrape. They have no value while the database is unreachable. */
export const createInstallationMetrics = ({ read }: Pick<Database, 'read'>): Metric[] =>
  gauges.map(([name, help, readValue]) => {
    async function collect(this: Gauge) {
      this.remove();
      const value = await withTimeBudget(QUERY_TIMEOUT_MS, () => readValue(read)).catch(() => undefined);
      if (value !== undefined) this.set(value);
    }
    return new Gauge({ name, help, registers: [], collect });
  });
