import { check, forward, intersect, minLength, nonEmpty, object, pipe, string } from 'valibot';
import { uiMessages } from '../../../ui/ui.messages';
import { passwordMessages } from '../setup.messages';

const MIN_LENGTH = 10;
const { tooShort, different } = passwordMessages;

/** A new password, typed twice. A short password and a different repetition are reported together. */
export const newPasswordSchema = pipe(
  object({ newPassword: pipe(string(), minLength(MIN_LENGTH, tooShort)), again: string() }),
  forward(
    check(({ newPassword, again }) => newPassword === again, different),
    ['again'],
  ),
);

export const passwordChangeSchema = intersect([
  newPasswordSchema,
  object({ currentPassword: pipe(string(), nonEmpty(uiMessages.required)) }),
]);
