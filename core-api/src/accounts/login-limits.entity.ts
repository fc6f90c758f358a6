import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';

/** Failed logins of an account, an address or both, in the window that ends at `endsAt`. */
@Entity('login_failures')
export class LoginFailures {
  /** SHA-256 in hexadecimal of what is counted. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  key: string;

  @Column({ type: 'integer' })
  failures: number;

  @Instant()
  endsAt: string;
}

/** An address from which somebody logged into an account. */
@Entity('login_addresses')
export class LoginAddress {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  accountId: string;

  @PrimaryColumn({ type: 'varchar', length: 45 })
  network: string;

  @Instant()
  lastLoginAt: string;
}
