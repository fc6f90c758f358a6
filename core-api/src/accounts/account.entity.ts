import { Column, Entity } from 'typeorm';
import { Audited } from '../database/audited';
import { Id, Instant } from '../database/columns';

@Audited({
  entity: 'admin',
  name: 'username',
  secret: ['passwordHash', 'totpSecret', 'setupDigest'],
  omit: ['tokenVersion', 'totpPending', 'totpSteps', 'setupEndsAt', 'lastLoginAt'],
})
@Entity('accounts')
export class Account {
  @Id()
  _id: string;

  /** Lower case; unique. */
  @Column({ type: 'varchar', length: 100 })
  username: string;

  /** argon2id in PHC form; empty until a setup token was used. */
  @Column({ type: 'varchar', length: 255 })
  passwordHash: string;

  /** Incremented by each change of the password: tokens of an earlier version are invalid. */
  @Column({ type: 'integer' })
  tokenVersion: number;

  /** The second factor's secret, in hexadecimal, encrypted; empty when there is none. */
  @Column({ type: 'text', default: '' })
  totpSecret: string;

  /** One that no code has confirmed yet; encrypted. */
  @Column({ type: 'text', default: '' })
  totpPending: string;

  /** The last steps whose codes were used, separated by blanks. */
  @Column({ type: 'varchar', length: 64, default: '' })
  totpSteps: string;

  /** SHA-256 of the token that may set the first password, in hexadecimal. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  setupDigest: string | null;

  @Instant({ nullable: true })
  setupEndsAt: string | null;

  @Instant({ nullable: true })
  lastLoginAt: string | null;

  @Instant()
  createdAt: string;
}

/** The second factor is off. */
export const NO_TOTP = { totpSecret: '', totpPending: '', totpSteps: '' };
