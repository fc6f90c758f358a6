import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { CreatedRow, Instant, Varchar } from '../../platform/database/schema/columns';
import { Delivery } from '../../platform/outbox/outbox-worker';

export const channelNames = ['telegram', 'email'] as const;
export type ChannelName = (typeof channelNames)[number];

// The audit entries contain no text of the visitor, because the entries outlive the message.
@Audited({ entity: 'contact', omit: ['name', 'email', 'contactInfo', 'message', 'spam', 'address'] })
@Entity('contact_messages')
export class ContactMessage extends CreatedRow {
  @Varchar(100) name: string;
  @Varchar(255) email: string;
  @Varchar(255, { nullable: true }) contactInfo: string | null;
  @Column('text') message: string;
  /** True if the honeypot was filled. Spam is stored, but neither delivered nor listed. */
  @Column('boolean', { default: false }) spam: boolean;
  /** True once an administrator has marked the message as done. */
  @Column('boolean', { default: false }) handled: boolean;
  /** Time at which an administrator marked the message as answered. */
  @Instant({ nullable: true }) answeredAt: string | null;
  /** `toLimitKey` of the client's address, for the limits of `ContactService`. */
  @Varchar(45) address: string;

  @OneToMany(
    () => ContactDelivery,
    ({ contactMessage }) => contactMessage,
  )
  deliveries: ContactDelivery[];
}

/** The outbox: one row for each channel that a message must reach. */
@Entity('contact_deliveries')
export class ContactDelivery extends Delivery {
  @PrimaryColumn('varchar', { length: 36 }) messageId: string;
  @PrimaryColumn('varchar', { length: 16 }) channel: ChannelName;

  @ManyToOne(() => ContactMessage, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'messageId' })
  contactMessage: ContactMessage;

  /** Pieces of a long message that the channel has confirmed. The next attempt sends the remaining pieces. */
  @Column('integer', { default: 0 }) piecesSent: number;
}
