import { hash, randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { ChangeContext, Database } from '../../../platform/database/database';
import { requireRow } from '../../../platform/database/queries/require-row';
import { createFieldError, RuleError } from '../../../platform/errors/rule-error';
import { decrypt, encrypt } from '../../../platform/secrets/encryption';
import { Account, NO_TOTP, RecoveryCode } from '../account.entity';
import { accountMessages as messages } from '../accounts.messages';
import type { GuessLimits } from '../logins/guess-limits';
import { createTotpUri, encodeBase32, findTotpStep, toTotpStep } from './totp';

/** RFC 4226 §4: 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODE_COUNT = 10;
/** 80 random bits cannot be guessed, so the digests need no salt. */
const RECOVERY_CODE_BYTES = 10;

/** Whether a code has six digits, as in authenticator apps. Any other text can only be a recovery code. */
export const isTotp = (code: string): boolean => /^\d{6}$/.test(code);
/** Digest of a recovery code, ignoring case and hyphens. */
const hashRecoveryCode = (recoveryCode: string): string =>
  hash('sha256', recoveryCode.toUpperCase().replaceAll('-', ''));

const generateRecoveryCode = (): string =>
  encodeBase32(randomBytes(RECOVERY_CODE_BYTES))
    .replace(/.{4}(?=.)/g, '$&-')
    .toLowerCase();

/** Thrown if the password was correct, but the second-factor code is missing or wrong. */
export class SecondFactorError extends RuleError {
  constructor(kind: 'unauthenticated' | 'invalid', message: string, fields?: { code: string }) {
    super(kind, message, { fields, extensions: { codeRequired: true } });
  }
}

/** TOTP codes of an authenticator app (contract §6), and recovery codes as their replacement. */
export class SecondFactor {
  constructor(
    private readonly database: Database,
    /** Key that encrypts the TOTP secrets. */
    private readonly key: Buffer,
    private readonly issuer: string,
    private readonly guesses: GuessLimits,
  ) {}

  /** Stores a new secret, which has no effect before `confirmSetup`. @throws RuleError conflict if a factor is on */
  async beginSetup(context: ChangeContext, accountId: string): Promise<{ secret: string; uri: string }> {
    const secret = randomBytes(SECRET_BYTES);
    return this.database.serializedWrite(context, async (manager) => {
      const account = await requireAccount(manager, accountId);
      if (account.totpSecret) throw new RuleError('conflict', messages.totpOn);
      await manager.update(Account, { _id: accountId }, { totpPending: encrypt(secret.toString('hex'), this.key) });
      return { secret: encodeBase32(secret), uri: createTotpUri(secret, this.issuer, account.username) };
    });
  }

  /**
   * Switches the second factor on after a correct code. The same code is still valid for a login, because people often
   * log in right after the confirmation.
   * @throws RuleError conflict without a secret to confirm; invalid for a wrong code
   */
  async confirmSetup(context: ChangeContext, accountId: string, code: string): Promise<{ recoveryCodes: string[] }> {
    const recoveryCodes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode);
    return this.database.serializedWrite(context, async (manager) => {
      const { totpPending, totpSecret } = await requireAccount(manager, accountId);
      if (totpSecret || !totpPending) throw new RuleError('conflict', totpSecret ? messages.totpOn : messages.noSetup);
      const secret = this.decryptSecret(totpPending);
      if (!secret || findTotpStep(secret, code, Date.now()) === undefined)
        throw createFieldError('invalid', 'code', messages.codeWrong);
      await manager.update(Account, { _id: accountId }, { ...NO_TOTP, totpSecret: totpPending });
      await manager.delete(RecoveryCode, { accountId });
      const rows = recoveryCodes.map((text) => ({ accountId, digest: hashRecoveryCode(text) }));
      await manager.insert(RecoveryCode, rows);
      return { recoveryCodes };
    });
  }

  /**
   * Returns whether a code is valid, and marks it as used. Only one of two concurrent uses succeeds.
   * @throws RuleError tooMany after too many wrong codes of the account. Wrong recovery codes are not counted.
   */
  async useCode(account: Account, code: string): Promise<boolean> {
    if (isTotp(code)) {
      await this.guesses.countGuess('code', account._id);
      const isCorrect = await this.useTotp(account, code);
      if (isCorrect) await this.guesses.retractGuess('code', account._id);
      return isCorrect;
    }
    const deletion = await this.database.concurrentWrite((manager) =>
      manager.delete(RecoveryCode, { accountId: account._id, digest: hashRecoveryCode(code) }),
    );
    return deletion.affected === 1;
  }

  private async useTotp({ _id, totpSecret, totpSteps }: Account, code: string): Promise<boolean> {
    const now = Date.now();
    const secret = this.decryptSecret(totpSecret);
    const step = secret && findTotpStep(secret, code, now);
    const usedSteps = totpSteps.split(' ').filter((text) => Number(text) >= toTotpStep(now) - 1);
    if (step === undefined || usedSteps.includes(String(step))) return false;
    // The update matches no row if a concurrent request has used a code since the account was read.
    const { affected } = await this.database.concurrentWrite((manager) =>
      manager.update(Account, { _id, totpSecret, totpSteps }, { totpSteps: [...usedSteps, step].join(' ') }),
    );
    return affected === 1;
  }

  /** Returns undefined for a secret that was encrypted with another key. Recovery codes work without the secret. */
  private decryptSecret(encryptedSecret: string): Buffer | undefined {
    const hex = encryptedSecret && decrypt(encryptedSecret, this.key);
    return hex ? Buffer.from(hex, 'hex') : undefined;
  }
}

/** Switches the second factor off, in the transaction of `manager`. */
export async function removeSecondFactor(manager: EntityManager, accountId: string): Promise<void> {
  await manager.update(Account, { _id: accountId }, NO_TOTP);
  await manager.delete(RecoveryCode, { accountId });
}

const requireAccount = (manager: EntityManager, _id: string): Promise<Account> =>
  requireRow(manager, Account, { _id }, messages.accountGone);
