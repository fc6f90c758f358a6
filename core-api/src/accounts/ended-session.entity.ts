import { Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../database/columns';

/** A session that was ended before its token did. */
@Entity('ended_sessions')
export class EndedSession {
  /** SHA-256 of the token, in hexadecimal. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  id: string;

  /** When the token ends by itself. */
  @Instant()
  endsAt: string;
}
