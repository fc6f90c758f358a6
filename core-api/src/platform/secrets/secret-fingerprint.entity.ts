import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Identifies the secrets that this database was written with, without revealing them. */
@Entity('secret_fingerprints')
export class SecretFingerprint {
  @PrimaryColumn({ type: 'varchar', length: 32 })
  name: string;

  /** Hexadecimal (`fingerprintOf`). */
  @Column({ type: 'varchar', length: 64 })
  fingerprint: string;
}
