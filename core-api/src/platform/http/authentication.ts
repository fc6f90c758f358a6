import type { Request } from 'express';
import type { EntityManager } from 'typeorm';
import { RuleError } from '../errors';
import type { Role, Scope, TokenSite } from './access';
import { httpMessages } from './http.messages';

/** One login, from its token's issue to its end. */
export interface Session {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly endsAt: string;
}

/** The API token that a request was sent with. */
interface PrincipalToken {
  readonly _id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null: all projects of the account. */
  readonly projects: readonly string[] | null;
  /** Set for a token with the scope `deploy`, null for all others. */
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
  /** The login; null for an API token. */
  readonly session: Session | null;
  readonly token: PrincipalToken | null;
}

/** An API token has no session, so the endpoint must be `personOnly`. @throws Error */
export function requireSession({ session }: Principal): Session {
  if (!session) throw new Error('an endpoint that needs a session must be personOnly');
  return session;
}

/** Finds who sends a request, and whether the person has given the password again. */
export interface AccessControl {
  /** @param manager reads the rights in a transaction, without a cache @throws RuleError unauthenticated */
  authenticate(request: Request, manager?: EntityManager): Promise<Principal>;
  hasSudo(session: Session): Promise<boolean>;
}

/** Authenticates by `Authorization: Bearer` alone (RFC 6750 §2.1), never by a query parameter or a cookie. */
export const bearerAuthentication =
  (
    findPrincipal: (token: string, clientAddress: string, manager?: EntityManager) => Promise<Principal | undefined>,
  ): AccessControl['authenticate'] =>
  async (request, manager) => {
    const token = /^Bearer ([\w.-]+)$/i.exec(request.get('authorization') ?? '')?.[1];
    const principal = token && (await findPrincipal(token, request.ip ?? '', manager));
    if (!principal) throw new RuleError('unauthenticated', httpMessages.unauthenticated);
    return principal;
  };
