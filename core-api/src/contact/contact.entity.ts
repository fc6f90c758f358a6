import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { Id, Instant } from '../database/columns';

export const channels = ['telegram', 'email'] as const;
export type Channel = (typeof channels)[number];

export const deliveryStates = ['pending', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

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

  /** Filled by a program: it wrote into the field that people do not see. */
  @Column({ type: 'boolean', default: false })
  spam: boolean;

  /** Where it came from, for the limit per address. */
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
  channel: Channel;

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
