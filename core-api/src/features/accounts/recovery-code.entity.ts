import { Entity, PrimaryColumn } from 'typeorm';

/** A code that replaces the second factor once. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  accountId: string;

  /** SHA-256 of the code, in hexadecimal. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  digest: string;
}
