import type { Request } from 'express';
import type { Account } from '../accounts/account.entity';
import type { AccountsService } from '../accounts/accounts.service';
import { RuleError } from './errors';
import { httpMessages } from './http.messages';

export type Authentication = (request: Request) => Promise<Account>;

/** `Authorization: Bearer …` only (RFC 6750 §2.1): never a query parameter or a cookie. */
export const bearerAuthentication =
  (accounts: AccountsService): Authentication =>
  async (request) => {
    const token = /^Bearer ([\w.-]+)$/i.exec(request.get('authorization') ?? '')?.[1];
    const account = token && (await accounts.ofToken(token));
    if (!account) throw new RuleError('unauthenticated', httpMessages.unauthenticated);
    return account;
  };
