import type { Stack } from '../../../scripts/testing/stack';

/** Creates an account with these rights and sets its password. @returns its username and password */
export async function createAccount(stack: Stack, username: string, rights: object = {}) {
  const account = { username, password: 'uma senha de teste bem longa' };
  const { setupToken } = await stack.create('/admins', { username, ...rights });
  await stack.request('POST', '/setup', { token: setupToken, password: account.password });
  return account;
}
