import { check, forward, minLength, nonEmpty, object, pipe, string } from 'valibot';
import { uiMessages } from '../../ui/ui.messages';
import { passwordMessages } from './setup.messages';

const MIN_LENGTH = 10;
const { tooShort, different } = passwordMessages;

/** A new password, typed twice. */
const newPassword = { newPassword: pipe(string(), minLength(MIN_LENGTH, tooShort)), again: string() };

/** A password that is too short is the only error until it is long enough. */
const isRepeated = (typed: { newPassword: string; again: string }): boolean =>
  typed.newPassword.length < MIN_LENGTH || typed.newPassword === typed.again;

export const newPasswordSchema = pipe(object(newPassword), forward(check(isRepeated, different), ['again']));

export const passwordChangeSchema = pipe(
  object({ ...newPassword, currentPassword: pipe(string(), nonEmpty(uiMessages.required)) }),
  forward(
    check((typed) => isRepeated(typed), different),
    ['again'],
  ),
);
