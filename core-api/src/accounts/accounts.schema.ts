import { z } from 'zod';
import { accountMessages } from './accounts.messages';

const password = (required: string) => z.string(required).min(1, required).max(512, accountMessages.passwordLong);

/** POST /login */
export const loginBody = z.object({
  username: z.string(accountMessages.usernameRequired).trim().min(1, accountMessages.usernameRequired).max(100),
  password: password(accountMessages.passwordRequired),
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
