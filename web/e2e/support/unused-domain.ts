import { randomBytes } from 'node:crypto';

/**
 * Returns a domain that no site has had. For 30 days after its removal a domain needs a proof of ownership, so a repeated
 * test could not claim it again.
 */
export const createUnusedDomain = (name: string): string => `${name}-${randomBytes(4).toString('hex')}.com.br`;
