import { Column, Entity } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { CreatedRow, EditedRow, Id, Instant, Varchar, Version } from '../../platform/database/schema/columns';
import type { AlertKind, Severity, Subject, SubjectType } from './alert-kinds';

export const channelTypes = ['telegram', 'email', 'webhook'] as const;
export type ChannelType = (typeof channelTypes)[number];

/** Body of a webhook: Standard Webhooks, or the format of Slack or Discord. */
export const webhookFormats = ['standard', 'slack', 'discord'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

@Audited({ entity: 'alert_channel', name: 'name', secret: ['url', 'secret', 'previousSecret'], omit: ['failingSince'] })
@Entity('alert_channels')
export class AlertChannel extends EditedRow {
  @Varchar(100) name: string;
  @Varchar(16) type: ChannelType;
  @Column('boolean', { default: true }) enabled: boolean;
  /** Alerts that are less urgent are not sent to this channel. */
  @Varchar(16, { default: 'info' }) minSeverity: Severity;
  /** Chat of a Telegram channel; null means the chat of the settings. */
  @Varchar(255, { nullable: true }) chatId: string | null;
  /** Recipient of an e-mail channel; null means `CONTACT_EMAIL_TO`. */
  @Varchar(255, { nullable: true }) to: string | null;
  /** URL of a webhook; encrypted, because such URLs often contain a secret. */
  @Column('text', { nullable: true }) url: string | null;
  @Varchar(16, { nullable: true }) format: WebhookFormat | null;
  /** Signing secret of a webhook, encrypted. */
  @Column('text', { nullable: true }) secret: string | null;
  /** The secret before the last rotation, encrypted. Until `previousSecretUntil` it signs messages, too. */
  @Column('text', { nullable: true }) previousSecret: string | null;
  @Instant({ nullable: true }) previousSecretUntil: string | null;
  /** Time since which deliveries fail; null while they succeed. */
  @Instant({ nullable: true }) failingSince: string | null;
}

/** Handling of one kind of alert, for all subjects or for one subject. */
@Audited({ entity: 'alert_rule', name: 'kind' })
@Entity('alert_rules')
export class AlertRule {
  @Id() _id: string;
  @Varchar(32) kind: AlertKind;
  /** Empty for the rule of all subjects. */
  @Varchar(16, { default: '' }) subjectType: SubjectType | '';
  @Varchar(64, { default: '' }) subjectId: string;
  @Column('boolean', { default: true }) enabled: boolean;
  @Varchar(16) severity: Severity;
  @Column('simple-json') thresholds: Record<string, number>;
  /** Null means all enabled channels. */
  @Column('simple-json', { nullable: true }) channels: string[] | null;
  @Version() version: number;
}

/** Silences one subject until an instant. */
@Audited({ entity: 'mute', name: 'reason' })
@Entity('alert_mutes')
export class Mute extends CreatedRow {
  /** Null silences all kinds. */
  @Varchar(32, { nullable: true }) kind: AlertKind | null;
  @Varchar(16) subjectType: SubjectType;
  @Varchar(64) subjectId: string;
  @Instant() until: string;
  @Varchar(500) reason: string;
  @Varchar(100) createdBy: string;
}

/** Planned work. It silences its subjects, and their outages do not count as downtime. */
@Audited({ entity: 'maintenance', name: 'title' })
@Entity('maintenance_windows')
export class MaintenanceWindow extends EditedRow {
  @Varchar(100) title: string;
  @Column('simple-json') subjects: Pick<Subject, 'type' | 'id'>[];
  /** Start of the window. A weekly window starts on its `weekdays`, from this day on, at this time of day. */
  @Instant() startsAt: string;
  @Instant() endsAt: string;
  /** 0 (Sunday) to 6, in `TIME_ZONE`; empty for a window that happens once. */
  @Column('simple-json') weekdays: number[];
}
