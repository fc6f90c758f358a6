import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { ChangeContext, Database } from '../database/source';
import { fieldError, RuleError } from '../errors';
import { base32, totpStepAt, totpStepOf, totpUri } from '../rules/totp';
import { decrypt, encrypt } from '../secrets/encryption';
import { Account, NO_TOTP } from './account.entity';
import { accountMessages as messages } from './accounts.messages';
import { RecoveryCode } from './recovery-code.entity';

/** RFC 4226 §4: 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits: unsalted digests cannot be reversed. */
const RECOVERY_BYTES = 10;

const isTotp = (code: string): boolean => /^\d{6}$/.test(code);
/** Ignores case, blanks and hyphens. */
const digestOf = (recoveryCode: string): string =>
  createHash('sha256').update(recoveryCode.toUpperCase().replace(/[\s-]/g, '')).digest('hex');

const generateRecoveryCode = (): string =>
  base32(randomBytes(RECOVERY_BYTES))
    .replace(/.{4}(?=.)/g, '$&-')
    .toLowerCase();

/** Codes of an authenticator app (contract §7, "People"), and the recovery codes in their place. */
export class SecondFactor {
  constructor(
    private readonly database: Database,
    /** Encrypts the secrets. */
    private readonly key: Buffer,
    private readonly issuer: string,
  ) {}

  /** A new secret, of no effect until `confirm`. @throws RuleError conflict while one is in force */
  async begin(context: ChangeContext, accountId: string): Promise<{ secret: string; uri: string }> {
    const secret = randomBytes(SECRET_BYTES);
    return this.database.change(context, async (manager) => {
      const account = await findAccount(manager, accountId);
      if (account.totpSecret) throw new RuleError('conflict', messages.totpOn);
      await manager.update(Account, { _id: accountId }, { totpPending: encrypt(secret.toString('hex'), this.key) });
      return { secret: base32(secret), uri: totpUri(secret, this.issuer, account.username) };
    });
  }

  /**
   * The app shows the right code: from now on each login asks for one. The code that proves it may still be used for a
   * login, which is the first thing that people try.
   * @throws RuleError conflict without a secret to confirm, invalid
   */
  async confirm(context: ChangeContext, accountId: string, code: string): Promise<{ recoveryCodes: string[] }> {
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, generateRecoveryCode);
    return this.database.change(context, async (manager) => {
      const { totpPending, totpSecret } = await findAccount(manager, accountId);
      if (totpSecret || !totpPending) throw new RuleError('conflict', totpSecret ? messages.totpOn : messages.totpNew);
      const secret = this.decrypted(totpPending);
      if (!secret || totpStepOf(secret, code, Date.now()) === undefined)
        throw fieldError('invalid', 'code', messages.codeWrong);
      await manager.update(Account, { _id: accountId }, { ...NO_TOTP, totpSecret: totpPending });
      await manager.delete(RecoveryCode, { accountId });
      await manager.insert(
        RecoveryCode,
        recoveryCodes.map((text) => ({ accountId, digest: digestOf(text) })),
      );
      return { recoveryCodes };
    });
  }

  /** Switches it off. The caller has seen a right code. */
  async end(context: ChangeContext, accountId: string): Promise<void> {
    await this.database.change(context, (manager) => removeSecondFactor(manager, accountId));
  }

  /** Whether a code is valid, which it is once; of two concurrent uses one passes. */
  async use(account: Account, code: string): Promise<boolean> {
    if (isTotp(code)) return this.useStep(account, code);
    const used = await this.database.append((manager) =>
      manager.delete(RecoveryCode, { accountId: account._id, digest: digestOf(code) }),
    );
    return used.affected === 1;
  }

  private async useStep({ _id, totpSecret, totpSteps }: Account, code: string): Promise<boolean> {
    const now = Date.now();
    const secret = this.decrypted(totpSecret);
    const step = secret && totpStepOf(secret, code, now);
    const used = totpSteps.split(' ').filter((text) => Number(text) >= totpStepAt(now) - 1);
    if (step === undefined || used.includes(String(step))) return false;
    // Matches no row when a concurrent login has used a step.
    const { affected } = await this.database.append((manager) =>
      manager.update(Account, { _id, totpSecret, totpSteps }, { totpSteps: [...used, step].join(' ') }),
    );
    return affected === 1;
  }

  /** Undefined when it was encrypted with another key: then only recovery codes work. */
  private decrypted(encrypted: string): Buffer | undefined {
    const hex = encrypted && decrypt(encrypted, this.key);
    return hex ? Buffer.from(hex, 'hex') : undefined;
  }
}

/** Called in a transaction. */
export async function removeSecondFactor(manager: EntityManager, accountId: string): Promise<void> {
  await manager.update(Account, { _id: accountId }, NO_TOTP);
  await manager.delete(RecoveryCode, { accountId });
}

async function findAccount(manager: EntityManager, _id: string): Promise<Account> {
  const found = await manager.findOneBy(Account, { _id });
  if (!found) throw new RuleError('notFound', messages.accountGone);
  return found;
}
