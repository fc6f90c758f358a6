import { Entity, PrimaryColumn } from 'typeorm';
import { Varchar } from '../database/schema/columns';

/** Identifies the secrets of this database without revealing them. */
@Entity('secret_fingerprints')
export class SecretFingerprint {
  @PrimaryColumn('varchar', { length: 32 }) name: string;
  /** Hexadecimal (`fingerprintSecret`). */
  @Varchar(64) fingerprint: string;
}
