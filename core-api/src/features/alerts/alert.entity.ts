import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Id, Instant, Varchar } from '../../platform/database/schema/columns';
import { Delivery } from '../../platform/outbox/outbox-worker';
import type { AlertKind, Condition, Severity, SubjectType } from './alert-kinds';
import type { ChannelType } from './alert-settings.entity';

/** A condition of one kind, with its subject and the machine that observed it. */
abstract class Observation {
  @Id() _id: string;
  @Varchar(32) kind: AlertKind;
  @Varchar(16) subjectType: SubjectType;
  @Varchar(64) subjectId: string;
  /** The machine that observed the condition; empty if all machines observe the same. */
  @Varchar(36) machineId: string;
}

export type AlertIdentity = Omit<Observation, '_id'>;

export const toAlertKey = ({ kind, subjectType, subjectId, machineId }: AlertIdentity): string =>
  `${kind} ${subjectType} ${subjectId} ${machineId}`;

/** A confirmed condition, past or current. At most one open alert exists per kind, subject and machine. */
@Entity('alerts')
export class Alert extends Observation {
  @Varchar(16) severity: Severity;
  /** The name that the subject had when the alert fired. */
  @Varchar(255) subjectName: string;
  @Varchar(500) reason: string;
  /** Start of the condition; an outage starts with the first failed probe. */
  @Instant() since: string;
  /** Time at which the condition was confirmed. */
  @Instant() firedAt: string;
  /**
   * Increases when the condition becomes more urgent, for example three days before an expiry. Channels are then
   * notified again.
   */
  @Column('integer', { default: 0 }) stage: number;
  /** Null while the condition holds. */
  @Instant({ nullable: true }) resolvedAt: string | null;
  @Instant({ nullable: true }) acknowledgedAt: string | null;
  @Varchar(100, { nullable: true }) acknowledgedBy: string | null;
  @Varchar(500, { nullable: true }) note: string | null;
}

/** Events of an alert that cause notifications. */
export type AlertEvent = 'firing' | 'resolved' | 'flapping';

/** One event of one alert for one channel. The notification is pending until a message contains it. */
@Entity('alert_notifications')
export class AlertNotification {
  @PrimaryColumn('varchar', { length: 36 }) alertId: string;
  @PrimaryColumn('varchar', { length: 36 }) channelId: string;
  @PrimaryColumn('varchar', { length: 16 }) event: AlertEvent;
  /** Id of the message that contains the notification; null while the notification is pending. */
  @Varchar(36, { nullable: true }) messageId: string | null;
  @Instant() createdAt: string;
}

/** A message to one channel; it carries one or more notifications. */
@Entity('alert_messages')
export class AlertMessage extends Delivery {
  /** Sent as `webhook-id` with every attempt. */
  @Id() _id: string;
  @Varchar(36) channelId: string;
  /** Type of the channel. A separate worker delivers the messages of each type. */
  @Varchar(16) channelType: ChannelType;
  /** Number of alerts in the message when it was created. */
  @Column('integer') subjects: number;
  @Instant() createdAt: string;
}

/**
 * A subject whose alerts of one kind open and resolve often. Its notifications pause until nothing has changed for 30
 * minutes.
 */
@Entity('alert_flaps')
export class AlertFlap extends Observation {
  @Instant() startedAt: string;
  @Instant() lastChangeAt: string;
}

/**
 * A machine that runs a core. The core writes this row every 30 s, or every 15 min on SQLite without a heartbeat URL
 * (`app/alerts.ts`).
 */
@Entity('machines')
export class Machine {
  /** The content of `DATA_DIR/machine.id`. */
  @Id() _id: string;
  @Varchar(255) name: string;
  @Instant() seenAt: string;
  /** Conditions that only this machine can observe: its disk, its certificate. */
  @Column('simple-json') conditions: Condition[];
}
