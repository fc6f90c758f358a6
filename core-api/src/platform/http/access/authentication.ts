import type { Request } from 'express';
import type { EntityManager } from 'typeorm';
import { RuleError } from '../../errors/rule-error';
import { httpMessages } from '../http.messages';
import type { Role, Scope, TokenSite } from './access';

/** The session of a login, which ends at `endsAt` at the latest. */
export interface Session {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly endsAt: string;
}

/** The API token of a request. */
interface PrincipalToken {
  readonly _id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Ids of the permitted projects; null permits all projects of the account. */
  readonly projects: readonly string[] | null;
  /** The site of a token with the scope `deploy`, null for other tokens. */
  readonly site: TokenSite | null;
  /** ISO 8601 UTC. */
  readonly expiresAt: string | null;
  permitsAddress(address: string): boolean;
}

/** The account of a request, with its rights for this request. */
export interface Principal {
  readonly _id: string;
  readonly username: string;
  readonly kind: 'person' | 'service';
  readonly role: Role;
  /** Ids of the projects that both account and token permit; null permits everything. */
  readonly projects: readonly string[] | null;
  /** The login session; null for an API token. */
  readonly session: Session | null;
  readonly token: PrincipalToken | null;
}

/** Returns the session. @throws Error for an API token, which an endpoint with `personOnly` never gets */
export function requireSession({ session }: Principal): Session {
  if (!session) throw new Error('an endpoint that needs a session must be personOnly');
  return session;
}

/** Authenticates requests, and finds whether the password was given again. */
export interface AccessControl {
  /** @param manager reads the rights in a transaction, without a cache @throws RuleError unauthenticated */
  authenticate(request: Request, manager?: EntityManager): Promise<Principal>;
  hasSudo(session: Session): Promise<boolean>;
}

/** Authenticates by `Authorization: Bearer` alone (RFC 6750 §2.1), never by a query parameter or a cookie. */
export const createBearerAuthentication =
  (
    findPrincipal: (token: string, clientAddress: string, manager?: EntityManager) => Promise<Principal | undefined>,
  ): AccessControl['authenticate'] =>
  async (request, manager) => {
    const token = /^Bearer ([\w.-]+)$/i.exec(request.get('authorization') ?? '')?.[1];
    const principal = token && (await findPrincipal(token, request.ip ?? '', manager));
    if (!principal) throw new RuleError('unauthenticated', httpMessages.unauthenticated);
    return principal;
  };
