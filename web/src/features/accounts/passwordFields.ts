import type { FieldErrors } from '../../ui/form/useSubmit';
import { accountsMessages } from './accounts.messages';

/** A new password, typed twice. */
export interface NewPassword {
  newPassword: string;
  again: string;
}

const MIN_LENGTH = 10;
const { tooShort, different } = accountsMessages.password;

/** Errors of a new password that can be found without the server. */
export function checkNewPassword({ newPassword, again }: NewPassword): FieldErrors {
  if (newPassword.length < MIN_LENGTH) return { newPassword: tooShort };
  return again === newPassword ? {} : { again: different };
}
