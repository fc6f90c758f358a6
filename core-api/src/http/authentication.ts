import type { Request } from 'express';
import { RuleError } from '../errors';
import { httpMessages } from './http.messages';

/** Who asks. */
export interface Principal {
  readonly _id: string;
  readonly username: string;
  /** The login that this request belongs to. */
  readonly session: { readonly id: string; readonly endsAt: string };
}

/** @throws RuleError unauthenticated */
export type Authenticate = (request: Request) => Promise<Principal>;

/** `Authorization: Bearer …` only (RFC 6750 §2.1): never a query parameter or a cookie. */
export const bearerAuthentication =
  (principalOf: (token: string) => Promise<Principal | undefined>): Authenticate =>
  async (request) => {
    const token = /^Bearer ([\w.-]+)$/i.exec(request.get('authorization') ?? '')?.[1];
    const principal = token && (await principalOf(token));
    if (!principal) throw new RuleError('unauthenticated', httpMessages.unauthenticated);
    return principal;
  };
