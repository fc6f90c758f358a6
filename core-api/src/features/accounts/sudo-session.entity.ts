import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/columns';

/** A session whose person has given the password again (`POST /me/sudo`). */
@Entity('sudo_sessions')
export class SudoSession {
  /** SHA-256 of the session's token, in hexadecimal. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  sessionId: string;

  @Column({ type: 'varchar', length: 36 })
  accountId: string;

  @Instant()
  endsAt: string;

  /** A second-factor code was given, too. */
  @Column({ type: 'boolean', default: false })
  withCode: boolean;
}
