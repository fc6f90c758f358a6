import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';

const SIGNING_OPTIONS = { algorithm: 'HS256', issuer: 'studio-core', audience: 'studio-console' } as const;
const claims = z.object({ sub: z.string(), version: z.int(), iat: z.int(), exp: z.int() });

export type SessionTokens = ReturnType<typeof createSessionTokens>;

/** Creates and verifies session tokens. @param ttlS validity of a token */
export function createSessionTokens(secret: string, ttlS: number) {
  // The key is created once, because jsonwebtoken tries to parse a secret in text form as a public key at every call.
  const key = createSecretKey(secret, 'utf8');
  // Allowed clock skew between cores, at most a sixtieth of a token's life.
  const toleranceS = Math.min(60, Math.floor(ttlS / 60));
  return {
    // The `jti` distinguishes tokens of the same second, so that a logout ends only one of them.
    issue: ({ accountId, version }: { accountId: string; version: number }): string =>
      jwt.sign({ version }, key, { ...SIGNING_OPTIONS, subject: accountId, expiresIn: ttlS, jwtid: uuid() }),
    /**
     * Returns undefined for a forged, expired or future token, and for a token without an expiry. From `endsAt` on, the
     * token has expired by the clock of every core.
     */
    verify(token: string) {
      try {
        const payload = jwt.verify(token, key, {
          algorithms: [SIGNING_OPTIONS.algorithm],
          issuer: SIGNING_OPTIONS.issuer,
          audience: SIGNING_OPTIONS.audience,
          clockTolerance: toleranceS,
          maxAge: ttlS + toleranceS,
        });
        const { sub, version, iat, exp } = claims.parse(payload);
        if (iat > Date.now() / 1000 + toleranceS) return undefined;
        return { accountId: sub, version, endsAt: new Date((exp + toleranceS) * 1000).toISOString() };
      } catch (error) {
        if (error instanceof jwt.JsonWebTokenError || error instanceof z.ZodError) return undefined;
        throw error;
      }
    },
  };
}
