import { z } from 'zod';
import { requiredText } from '../../http/fields';
import { parseAddressBlock } from '../../rules/address';
import { isKeyPermission } from '../../rules/permission';
import { keyMessages as messages } from './keys.messages';

const LONGEST_LIST = 500;

const permissions = z
  .array(z.string(messages.permission).trim().refine(isKeyPermission, messages.permission), messages.permissionRequired)
  .min(1, messages.permissionRequired)
  .max(LONGEST_LIST, messages.permission)
  .transform((given) => [...new Set(given)]);

const addressBlock = z.string(messages.allowedIps).transform((text, context) => {
  const block = parseAddressBlock(text);
  if (block) return block;
  context.addIssue({ code: 'custom', message: messages.allowedIps });
  return z.NEVER;
});
const allowedIps = z
  .array(addressBlock, messages.allowedIps)
  .max(LONGEST_LIST, messages.allowedIps)
  .transform((given) => [...new Set(given)]);

/** POST /gateway/admin/keys */
export const keyBody = z.object({
  name: requiredText(100, messages.nameRequired, messages.nameLong),
  permissions,
  allowedIps: allowedIps.nullish().transform((given) => given ?? []),
});
export type KeyBody = z.output<typeof keyBody>;

export const keyChanges = z.object({ name: keyBody.shape.name, permissions, allowedIps }).partial();
export type KeyChanges = z.output<typeof keyChanges>;

export const keyQuery = z.object({
  sortBy: z.enum(['name', 'usageCount', 'createdAt', 'lastUsedAt'], messages.sortBy).default('createdAt'),
  order: z.enum(['asc', 'desc'], messages.order).default('desc'),
});
export type KeyQuery = z.output<typeof keyQuery>;

const fields = {
  _id: z.uuid(),
  name: z.string(),
  permissions: z.array(z.string()),
  allowedIps: z.array(z.string()),
  usageCount: z.int(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
};
export const keyAnswer = z.object(fields).meta({
  id: 'ApiKey',
  examples: [
    {
      _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
      name: 'Aplicativo',
      permissions: ['pedidos:ler'],
      allowedIps: ['203.0.113.0/24'],
      usageCount: 1520,
      createdAt: '2026-01-15T12:30:00.000Z',
      lastUsedAt: '2026-01-15T12:30:00.000Z',
    },
  ],
});

/** The only answer that ever carries the key. */
export const createdKeyAnswer = z.object({ ...fields, key: z.string() }).meta({ id: 'CreatedApiKey' });
