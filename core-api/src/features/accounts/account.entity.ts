import { Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { Audited } from '../../platform/audit/audited';
import { CreatedRow, Instant, Varchar } from '../../platform/database/schema/columns';
import type { Role } from '../../platform/http/access/access';

@Audited({
  entity: 'admin',
  name: 'username',
  secret: ['passwordHash', 'totpSecret', 'setupDigest'],
  omit: ['kind', 'tokenVersion', 'totpPending', 'totpSteps', 'setupEndsAt', 'lastLoginAt'],
})
@Entity('accounts')
export class Account extends CreatedRow {
  /** Lower case and unique. */
  @Varchar(100) username: string;
  /** A service account has no password, and API tokens are its only credentials. */
  @Varchar(16, { default: 'person' }) kind: 'person' | 'service';
  @Varchar(16, { default: 'administrator' }) role: Role;
  /** The projects that the account is limited to; null for everything. */
  @Column('simple-json', { nullable: true }) projectIds: string[] | null;
  /** argon2id in PHC format; empty while the account has no password. */
  @Varchar(255) passwordHash: string;
  /** Incremented by each change of the password, so that earlier sessions end. */
  @Column('integer') tokenVersion: number;
  /** TOTP secret, hexadecimal, encrypted; empty without a second factor. */
  @Column('text', { default: '' }) totpSecret: string;
  /** New TOTP secret, encrypted. It has no effect until a code confirms it. */
  @Column('text', { default: '' }) totpPending: string;
  /** TOTP steps whose codes were used recently, separated by blanks. */
  @Varchar(64, { default: '' }) totpSteps: string;
  /** SHA-256 of the setup token in hexadecimal. */
  @Varchar(64, { nullable: true }) setupDigest: string | null;
  @Instant({ nullable: true }) setupEndsAt: string | null;
  @Instant({ nullable: true }) lastLoginAt: string | null;
}

/** Column values of an account without a second factor. */
export const NO_TOTP = { totpSecret: '', totpPending: '', totpSteps: '' };

export const NO_SETUP_TOKEN = { setupDigest: null, setupEndsAt: null };

/** Creates an account without a password. Nobody can log in to it before a password is set. */
export function createAccount(
  kind: Account['kind'],
  username: string,
  rights: Pick<Account, 'role' | 'projectIds'>,
): Account {
  const dates = { createdAt: new Date().toISOString(), lastLoginAt: null };
  const noLogin = { passwordHash: '', tokenVersion: 1, ...NO_TOTP, ...NO_SETUP_TOKEN };
  return { _id: uuid(), kind, username, ...rights, ...noLogin, ...dates };
}

/** The failures of one counter (`failure-counters.ts`) in the window until `endsAt`. */
@Entity('login_failures')
export class LoginFailures {
  /** SHA-256 of the counter's name, in hexadecimal. */
  @PrimaryColumn('varchar', { length: 64 }) key: string;
  @Column('integer') failures: number;
  @Instant() endsAt: string;
}

/** A network from which an account has logged in. */
@Entity('login_addresses')
export class LoginNetwork {
  @PrimaryColumn('varchar', { length: 36 }) accountId: string;
  @PrimaryColumn('varchar', { length: 45 }) network: string;
  @Instant() lastLoginAt: string;
}

/** A session that was ended before its token expired. */
@Entity('ended_sessions')
export class EndedSession {
  /** SHA-256 of the token, in hexadecimal. */
  @PrimaryColumn('varchar', { length: 64 }) id: string;
  /** Expiry of the token plus the allowed clock skew. */
  @Instant() endsAt: string;
}

/** A session whose person has given the password again (`POST /me/sudo`). */
@Entity('sudo_sessions')
export class SudoSession {
  /** SHA-256 of the session's token, in hexadecimal. */
  @PrimaryColumn('varchar', { length: 64 }) sessionId: string;
  @Varchar(36) accountId: string;
  @Instant() endsAt: string;
  /** True if a second-factor code was given with the password. */
  @Column('boolean', { default: false }) withCode: boolean;
}

/** A code that replaces the second factor once. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn('varchar', { length: 36 }) accountId: string;
  /** SHA-256 of the code, in hexadecimal. */
  @PrimaryColumn('varchar', { length: 64 }) digest: string;
}
