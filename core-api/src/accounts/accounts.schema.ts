import { z } from 'zod';
import { optionalText, requiredText } from '../http/fields';
import { accountMessages } from './accounts.messages';

const password = (required: string) => z.string(required).min(1, required).max(512, accountMessages.passwordLong);

/** Of an authenticator app, or a recovery code. */
const code = requiredText(100, accountMessages.code, accountMessages.code);

/** POST /login; `code` where the account has a second factor. */
export const loginBody = z.object({
  username: z.string(accountMessages.usernameRequired).trim().min(1, accountMessages.usernameRequired).max(100),
  password: password(accountMessages.passwordRequired),
  code: optionalText(100, accountMessages.code),
});

export const session = z.object({ token: z.string() });

export const account = z
  .object({ _id: z.uuid(), username: z.string() })
  .meta({ id: 'Account', examples: [{ _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607', username: 'admin' }] });

/** A password that may be set. */
export const newPassword = z
  .string(accountMessages.newPasswordShort)
  .min(10, accountMessages.newPasswordShort)
  .max(512, accountMessages.passwordLong);

/** PUT /me/password */
export const passwordBody = z.object({ currentPassword: password(accountMessages.passwordRequired), newPassword });

const administratorFields = {
  _id: z.uuid(),
  username: z.string(),
  createdAt: z.iso.datetime(),
  lastLoginAt: z.iso.datetime().nullable(),
  totp: z.boolean(),
};
export const administrator = z.object(administratorFields).meta({
  id: 'Administrator',
  examples: [
    {
      _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
      username: 'ana',
      createdAt: '2026-01-15T12:30:00.000Z',
      lastLoginAt: null,
      totp: false,
    },
  ],
});

/** The only answer that ever carries the token; it may be used once, for 24 hours. */
export const invitation = z.object({ ...administratorFields, setupToken: z.string() }).meta({ id: 'Invitation' });

/** POST /admins */
export const administratorBody = z.object({
  username: requiredText(100, accountMessages.usernameRequired, accountMessages.username).regex(
    /^[^\p{C}\p{Zl}\p{Zp}]+$/u,
    accountMessages.username,
  ),
});

/** POST /setup */
export const setupBody = z.object({
  token: requiredText(100, accountMessages.setupToken, accountMessages.setupToken),
  password: newPassword,
});

/** PUT and DELETE /me/totp */
export const codeBody = z.object({ code });

export const totpSetup = z.object({ secret: z.string(), uri: z.string() });
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
