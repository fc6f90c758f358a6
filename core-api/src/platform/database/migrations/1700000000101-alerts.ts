import type { QueryRunner, TableColumnOptions } from 'typeorm';
import { cascade, createTable, id, integer, longText, type Migration, nullable, text } from './column-types';

const instant = (name: string, columnOptions: Partial<TableColumnOptions> = {}) => text(name, 24, columnOptions);
const flag = (name: string): TableColumnOptions => ({ name, type: 'boolean', default: true });
const subject = [text('subjectType', 16), text('subjectId', 64)];
const version = integer('version', { default: 1 });

/** Adds alerts, their channels and notifications, mutes and maintenance windows. */
export class Alerts1700000000101 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, {
      name: 'alerts',
      columns: [
        id(),
        text('kind', 32),
        text('severity', 16),
        ...subject,
        text('subjectName', 255),
        text('machineId', 36),
        text('reason', 500),
        instant('since'),
        instant('firedAt'),
        integer('stage', { default: 0 }),
        instant('resolvedAt', nullable),
        instant('acknowledgedAt', nullable),
        text('acknowledgedBy', 100, nullable),
        text('note', 500, nullable),
      ],
      indices: [
        {
          columnNames: ['kind', 'subjectType', 'subjectId', 'machineId'],
          isUnique: true,
          where: '"resolvedAt" IS NULL',
          name: 'alerts_open',
        },
        { columnNames: ['firedAt'], name: 'alerts_fired' },
      ],
    });
    await createTable(runner, {
      name: 'alert_channels',
      columns: [
        id(),
        text('name', 100, { isUnique: true }),
        text('type', 16),
        flag('enabled'),
        text('minSeverity', 16, { default: "'info'" }),
        text('chatId', 255, nullable),
        text('to', 255, nullable),
        longText('url', nullable),
        text('format', 16, nullable),
        longText('secret', nullable),
        longText('previousSecret', nullable),
        instant('previousSecretUntil', nullable),
        instant('failingSince', nullable),
        instant('createdAt'),
        version,
      ],
    });
    await createTable(runner, {
      name: 'alert_notifications',
      columns: [
        text('alertId', 36, { isPrimary: true }),
        text('channelId', 36, { isPrimary: true }),
        text('event', 16, { isPrimary: true }),
        text('messageId', 36, nullable),
        instant('createdAt'),
      ],
      foreignKeys: [cascade('alertId', 'alerts'), cascade('channelId', 'alert_channels')],
      indices: [{ columnNames: ['messageId'], name: 'alert_notifications_message' }],
    });
    await createTable(runner, {
      name: 'alert_messages',
      columns: [
        id(),
        text('channelId', 36),
        text('channelType', 16),
        text('state', 16),
        integer('attempts'),
        instant('nextAttemptAt'),
        instant('deliveredAt', nullable),
        text('lastError', 500, nullable),
        integer('subjects'),
        instant('createdAt'),
      ],
      foreignKeys: [cascade('channelId', 'alert_channels')],
      indices: [{ columnNames: ['state', 'nextAttemptAt'], name: 'alert_messages_due' }],
    });
    await createTable(runner, {
      name: 'alert_flaps',
      columns: [
        id(),
        text('kind', 32),
        ...subject,
        text('machineId', 36),
        instant('startedAt'),
        instant('lastChangeAt'),
      ],
      indices: [
        { columnNames: ['kind', 'subjectType', 'subjectId', 'machineId'], isUnique: true, name: 'alert_flaps_subject' },
      ],
    });
    await createTable(runner, {
      name: 'alert_rules',
      columns: [
        id(),
        text('kind', 32),
        text('subjectType', 16, { default: "''" }),
        text('subjectId', 64, { default: "''" }),
        flag('enabled'),
        text('severity', 16),
        longText('thresholds'),
        longText('channels', nullable),
        version,
      ],
      indices: [{ columnNames: ['kind', 'subjectType', 'subjectId'], isUnique: true, name: 'alert_rules_subject' }],
    });
    await createTable(runner, {
      name: 'alert_mutes',
      columns: [
        id(),
        text('kind', 32, nullable),
        ...subject,
        instant('until'),
        text('reason', 500),
        text('createdBy', 100),
        instant('createdAt'),
      ],
    });
    await createTable(runner, {
      name: 'maintenance_windows',
      columns: [
        id(),
        text('title', 100),
        longText('subjects'),
        instant('startsAt'),
        instant('endsAt'),
        longText('weekdays'),
        instant('createdAt'),
        version,
      ],
    });
    await createTable(runner, {
      name: 'machines',
      columns: [id(), text('name', 255), instant('seenAt'), longText('conditions')],
    });
  }
}
