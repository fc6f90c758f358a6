import { Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/columns';

/** A session that was ended before its token expires. */
@Entity('ended_sessions')
export class EndedSession {
  /** SHA-256 of the token, in hexadecimal. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  id: string;

  /** Expiry of the token. */
  @Instant()
  endsAt: string;
}
