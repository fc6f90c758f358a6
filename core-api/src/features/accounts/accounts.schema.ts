import { z } from 'zod';
import { auditActions } from '../../platform/audit/audit-entry.entity';
import { roles } from '../../platform/http/access/access';
import { idList, optionalText, requiredText, trimmedText } from '../../platform/http/input/fields';
import { accountMessages } from './accounts.messages';
import { findPasswordViolation } from './passwords/password-policy';
import { isReservedUsername, isUnambiguousUsername, normalizeUsername } from './username';

const password = (message: string) => z.string(message).min(1, message).max(512, accountMessages.passwordLong);

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, '');
/** A recovery code or a code of an authenticator app. Apps show codes with a blank: `123 456`. */
const code = requiredText(100, accountMessages.code, accountMessages.code).overwrite(withoutBlanks);
const optionalCode = optionalText(100, accountMessages.code).transform((text) => text && withoutBlanks(text));

export const newUsername = trimmedText(100, accountMessages.usernameRequired, accountMessages.username)
  .refine(isUnambiguousUsername, accountMessages.usernameUnclear)
  .refine((name) => !isReservedUsername(name), accountMessages.usernameReserved)
  .transform(normalizeUsername);

/** POST /login; `code` is needed if the account has a second factor. */
export const loginBody = z.object({
  username: z.string(accountMessages.usernameRequired).trim().min(1, accountMessages.usernameRequired).max(100),
  password: password(accountMessages.passwordRequired),
  code: optionalCode,
});
export type LoginBody = z.output<typeof loginBody>;

export const sessionResponse = z.object({ token: z.string() });

const role = z.enum(roles, accountMessages.role);
/** Ids of the projects that an account is limited to; null for everything. */
const projects = idList(accountMessages.unknownProject, accountMessages.projects);

export const accountResponse = z
  .object({
    _id: z.uuid(),
    username: z.string(),
    kind: z.enum(['person', 'service']),
    role: z.enum(roles),
    /** Projects that both account and token permit; null for all. */
    projects: z.array(z.uuid()).nullable(),
    totp: z.boolean(),
    /** End of the session's sudo (`POST /me/sudo`); null without sudo. */
    sudoUntil: z.iso.datetime().nullable(),
    /** The API token of this request. */
    token: z
      .object({
        _id: z.uuid(),
        name: z.string(),
        scopes: z.array(z.string()),
        projects: z.array(z.uuid()).nullable(),
        expiresAt: z.iso.datetime().nullable(),
      })
      .nullable(),
  })
  .meta({
    id: 'Account',
    examples: [
      {
        _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        username: 'admin',
        kind: 'person',
        role: 'administrator',
        projects: null,
        totp: false,
        sudoUntil: null,
        token: null,
      },
    ],
  });

export const newPassword = z
  .string(accountMessages.newPasswordShort)
  .max(512, accountMessages.passwordLong)
  .superRefine((text, context) => {
    const message = findPasswordViolation(text);
    if (message) context.addIssue({ code: 'custom', message });
  });

export const passwordBody = z.object({
  currentPassword: password(accountMessages.passwordRequired),
  newPassword,
  /** If true, the response is 200 with the token of a new session. Every earlier session ends in either case. */
  keepSession: z.boolean().optional(),
});
export type PasswordBody = z.output<typeof passwordBody>;

const administratorFields = {
  _id: z.uuid(),
  username: z.string(),
  createdAt: z.iso.datetime(),
  lastLoginAt: z.iso.datetime().nullable(),
  totp: z.boolean(),
  /** Expiry of the setup token; null once the password is set. */
  invitedUntil: z.iso.datetime().nullable(),
  role: z.enum(roles),
  projects: z.array(z.uuid()).nullable(),
};
export const administratorResponse = z.object(administratorFields).meta({
  id: 'Administrator',
  examples: [
    {
      _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
      username: 'ana',
      createdAt: '2026-01-15T12:30:00.000Z',
      lastLoginAt: null,
      totp: false,
      invitedUntil: '2026-01-16T12:30:00.000Z',
      role: 'administrator',
      projects: null,
    },
  ],
});

export type Administrator = z.output<typeof administratorResponse>;

/** Only this response has the setup token, which may be used once within 24 hours. */
export const invitationResponse = z
  .object({ ...administratorFields, setupToken: z.string() })
  .meta({ id: 'Invitation' });
export type Invitation = z.output<typeof invitationResponse>;

export const administratorBody = z.object({
  username: newUsername,
  role: role.optional(),
  projects: projects.optional(),
});

/** PUT /admins/{id}; absent fields keep their value. */
export const rightsBody = z.object({ role, projects }).partial();
export type Rights = z.output<typeof rightsBody>;

export const serviceAccountBody = z.object({
  name: newUsername,
  role: role.default('operator'),
  projects: projects.default(null),
});
export type ServiceAccountBody = z.output<typeof serviceAccountBody>;
export const serviceAccountChanges = z.object({ name: newUsername, role, projects }).partial();
export type ServiceAccountChanges = z.output<typeof serviceAccountChanges>;

export const serviceAccountResponse = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    role: z.enum(roles),
    projects: z.array(z.uuid()).nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'ServiceAccount',
    examples: [
      {
        _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f60a',
        name: 'pipeline',
        role: 'operator',
        projects: null,
        createdAt: '2026-01-15T12:30:00.000Z',
      },
    ],
  });

export type ServiceAccount = z.output<typeof serviceAccountResponse>;

export const sudoBody = loginBody.pick({ password: true, code: true });
export type SudoBody = z.output<typeof sudoBody>;
export const sudoResponse = z.object({ sudoUntil: z.iso.datetime() });

export const setupBody = z.object({
  token: requiredText(100, accountMessages.setupToken, accountMessages.setupToken),
  password: newPassword,
});

export const codeBody = z.object({ code });

/** DELETE /me/totp; the code may be absent if the session's sudo was confirmed with a code. */
export const optionalCodeBody = z.object({ code: optionalCode });

export const totpSetupResponse = z.object({ secret: z.string(), uri: z.string() });
export const recoveryCodesResponse = z.object({ recoveryCodes: z.array(z.string()) });

export const loginsResponse = z.object({
  entries: z.array(
    z
      .object({
        _id: z.uuid(),
        at: z.iso.datetime(),
        action: z.enum(auditActions),
        address: z.string(),
        /** Number of events in this entry: more than 1 only for failed and limited logins. */
        count: z.int(),
      })
      .meta({
        id: 'Login',
        examples: [
          {
            _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f60b',
            at: '2026-01-15T12:30:00.000Z',
            action: 'success',
            address: '203.0.113.7',
            count: 1,
          },
        ],
      }),
  ),
  total: z.int(),
});
