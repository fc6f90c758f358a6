import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountMessages as messages } from '../accounts.messages';

const MIN_LENGTH = 10;
const PASSWORD_FILE = join(__dirname, '../../../../common-passwords.txt');
/** Text of the file without its comment lines. White space separates the passwords. */
const PASSWORD_LIST = readFileSync(PASSWORD_FILE, 'utf8').replaceAll(/^#.*$/gm, '');
const commonPasswords: ReadonlySet<string> = new Set(PASSWORD_LIST.trim().split(/\s+/));
const REPEATED_CHARACTER = /^(.)\1*$/su;

/**
 * The reason why a password is refused; undefined if it is accepted. Leading and trailing blanks do not count
 * towards the length.
 */
export function findPasswordViolation(password: string): string | undefined {
  if (password.length >= MIN_LENGTH && REPEATED_CHARACTER.test(password)) return messages.newPasswordCommon;
  if (password.trim().length < MIN_LENGTH) return messages.newPasswordShort;
  return commonPasswords.has(password.trim().toLowerCase()) ? messages.newPasswordCommon : undefined;
}

export const equalsUsername = (password: string, username: string): boolean =>
  password.trim().normalize('NFKC').toLowerCase() === username.trim().normalize('NFKC').toLowerCase();
