import { Column, Entity } from 'typeorm';
import { Id, Instant } from '../database/columns';

@Entity('accounts')
export class Account {
  @Id()
  _id: string;

  /** Lower case; unique. */
  @Column({ type: 'varchar', length: 100 })
  username: string;

  /** argon2id in PHC form. */
  @Column({ type: 'varchar', length: 255 })
  passwordHash: string;

  /** Raised with each password: tokens of an earlier version are void. */
  @Column({ type: 'integer' })
  tokenVersion: number;

  @Instant()
  createdAt: string;
}
