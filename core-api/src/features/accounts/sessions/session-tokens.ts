import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';

const SIGNING_OPTIONS = { algorithm: 'HS256', issuer: 'studio-core', audience: 'studio-console' } as const;
const claims = z.object({ sub: z.string(), version: z.int(), iat: z.int(), exp: z.int() });

export class SessionTokens {
  /** The key is created once, because jsonwebtoken tries to parse a text as a public key at every call. */
  private readonly key: KeyObject;
  /** Allowed clock skew between cores, at most a sixtieth of a token's life. */
  private readonly toleranceS: number;

  /** @param ttlS validity of a token */
  constructor(
    secret: string,
    private readonly ttlS: number,
  ) {
    this.key = createSecretKey(secret, 'utf8');
    this.toleranceS = Math.min(60, Math.floor(ttlS / 60));
  }

  /** Issues a token. Its `jti` distinguishes tokens of the same second, so that a logout ends only one of them. */
  issue({ accountId, version }: { accountId: string; version: number }): string {
    const options = { ...SIGNING_OPTIONS, subject: accountId, expiresIn: this.ttlS, jwtid: uuid() };
    return jwt.sign({ version }, this.key, options);
  }

  /**
   * Returns the claims of a valid token, with `version` as the account's `tokenVersion`; undefined for a token that is
   * forged, expired, from the future or without an expiry. A token is valid until `endsAt`, which includes clock skew.
   */
  verify(token: string) {
    try {
      const payload = jwt.verify(token, this.key, {
        algorithms: [SIGNING_OPTIONS.algorithm],
        issuer: SIGNING_OPTIONS.issuer,
        audience: SIGNING_OPTIONS.audience,
        clockTolerance: this.toleranceS,
        maxAge: this.ttlS + this.toleranceS,
      });
      const { sub, version, iat, exp } = claims.parse(payload);
      if (iat > Date.now() / 1000 + this.toleranceS) return undefined;
      return { accountId: sub, version, endsAt: new Date((exp + this.toleranceS) * 1000).toISOString() };
    } catch (error) {
      if (error instanceof jwt.JsonWebTokenError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }
}
