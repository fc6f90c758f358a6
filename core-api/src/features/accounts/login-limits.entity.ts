import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/columns';

/** Failed logins of an account, an address or both, in the window that ends at `endsAt`. */
@Entity('login_failures')
export class LoginFailures {
  /** SHA-256 of the counter's name, in hexadecimal. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  key: string;

  @Column({ type: 'integer' })
  failures: number;

  @Instant()
  endsAt: string;
}

/** A network from which an account has logged in. */
@Entity('login_addresses')
export class LoginAddress {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  accountId: string;

  @PrimaryColumn({ type: 'varchar', length: 45 })
  network: string;

  @Instant()
  lastLoginAt: string;
}
