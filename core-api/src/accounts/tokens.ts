import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';

const signing = { algorithm: 'HS256', issuer: 'studio-core', audience: 'studio-console' } as const;
const claims = z.object({ sub: z.string(), version: z.int(), iat: z.int(), exp: z.int() });

interface TokenSubject {
  accountId: string;
  version: number;
}

interface ReadToken extends TokenSubject {
  /** When it is of no use any more, whatever the clock of the reader. ISO 8601 UTC. */
  endsAt: string;
}

export interface Tokens {
  issue(subject: TokenSubject): string;
  /** The subject of a valid token; undefined when it is forged, expired, from the future or has no expiry. */
  read(token: string): ReadToken | undefined;
}

/** @param ttlS how long a token is valid */
export function createTokens(secret: string, ttlS: number): Tokens {
  // Given as text, the library tries to parse it as a public key for every token.
  const key = createSecretKey(secret, 'utf8');
  // For the clocks of several cores; never more than a sixtieth of a token's life.
  const toleranceS = Math.min(60, Math.floor(ttlS / 60));
  return {
    // The id keeps tokens of one second apart: a logout ends one of them.
    issue: ({ accountId, version }) =>
      jwt.sign({ version }, key, { ...signing, subject: accountId, expiresIn: ttlS, jwtid: uuid() }),
    read(token) {
      try {
        const verified = jwt.verify(token, key, {
          algorithms: [signing.algorithm],
          issuer: signing.issuer,
          audience: signing.audience,
          clockTolerance: toleranceS,
          maxAge: ttlS + toleranceS,
        });
        const { sub, version, iat, exp } = claims.parse(verified);
        if (iat > Date.now() / 1000 + toleranceS) return undefined;
        return { accountId: sub, version, endsAt: new Date((exp + toleranceS) * 1000).toISOString() };
      } catch (error) {
        if (error instanceof jwt.JsonWebTokenError || error instanceof z.ZodError) return undefined;
        throw error;
      }
    },
  };
}
