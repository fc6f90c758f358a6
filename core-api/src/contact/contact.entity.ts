import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { Audited } from '../database/audited';
import { Id, Instant } from '../database/columns';

export const channelNames = ['telegram', 'email'] as const;
export type ChannelName = (typeof channelNames)[number];

export const deliveryStates = ['pending', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

// Nothing of what somebody wrote outlives the message: the trail has its id alone.
@Audited({ entity: 'contact', omit: ['name', 'email', 'contactInfo', 'message', 'spam', 'address'] })
@Entity('contact_messages')
export class ContactMessage {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 100 })
  name: string;

  @Column({ type: 'varchar', length: 255 })
  email: string;

  @Column({ type: 'varchar', length: 255, nullable: true })
  contactInfo: string | null;

  @Column({ type: 'text' })
  message: string;

  /** Caught by the honeypot: stored, delivered nowhere, not listed. */
  @Column({ type: 'boolean', default: false })
  spam: boolean;

  /** Somebody has dealt with it. */
  @Column({ type: 'boolean', default: false })
  handled: boolean;

  /** Of the client, for the limit per address. */
  @Column({ type: 'varchar', length: 45 })
  address: string;

  @Instant()
  createdAt: string;

  @OneToMany(
    () => ContactDelivery,
    ({ contactMessage }) => contactMessage,
  )
  deliveries: ContactDelivery[];
}

/** The outbox: one row for each channel that a message is to reach. */
@Entity('contact_deliveries')
export class ContactDelivery {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  messageId: string;

  @PrimaryColumn({ type: 'varchar', length: 16 })
  channel: ChannelName;

  @ManyToOne(
    () => ContactMessage,
    ({ deliveries }) => deliveries,
    { onDelete: 'CASCADE' },
  )
  @JoinColumn({ name: 'messageId' })
  contactMessage: ContactMessage;

  @Column({ type: 'varchar', length: 16 })
  state: DeliveryState;

  @Column({ type: 'integer' })
  attempts: number;

  /** Pieces of a long message that the channel confirmed: the next attempt goes on after them. */
  @Column({ type: 'integer', default: 0 })
  piecesSent: number;

  /** Not before this instant; while an attempt runs, when another process may take it over. */
  @Instant()
  nextAttemptAt: string;

  @Instant({ nullable: true })
  deliveredAt: string | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  lastError: string | null;
}
