import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

const fixed = { algorithm: 'HS256', issuer: 'studio-core', audience: 'studio-console' } as const;
const claims = z.object({ sub: z.string(), version: z.int(), iat: z.int(), exp: z.int() });

interface TokenSubject {
  accountId: string;
  version: number;
}

export interface Tokens {
  issue(subject: TokenSubject): string;
  /** Whom a token speaks for; nobody when it is forged, expired, from the future or without an end. */
  read(token: string): TokenSubject | undefined;
}

/** @param ttl life of a token in seconds */
export function createTokens(secret: string, ttl: number): Tokens {
  // Given as text, the library would try to read a public key from it at each token: 50 times the cost.
  const key = createSecretKey(secret, 'utf8');
  // Clocks of several cores differ, but a short life must end all the same.
  const tolerance = Math.min(60, Math.floor(ttl / 60));
  return {
    issue: ({ accountId, version }) => jwt.sign({ version }, key, { ...fixed, subject: accountId, expiresIn: ttl }),
    read(token) {
      try {
        const verified = jwt.verify(token, key, {
          algorithms: [fixed.algorithm],
          issuer: fixed.issuer,
          audience: fixed.audience,
          clockTolerance: tolerance,
          maxAge: ttl + tolerance,
        });
        const { sub, version, iat } = claims.parse(verified);
        if (iat > Date.now() / 1000 + tolerance) return undefined;
        return { accountId: sub, version };
      } catch (error) {
        if (error instanceof jwt.JsonWebTokenError || error instanceof z.ZodError) return undefined;
        throw error;
      }
    },
  };
}
