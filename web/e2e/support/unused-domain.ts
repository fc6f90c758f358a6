import { randomBytes } from 'node:crypto';

/**
 * Returns a domain that no site has had. A domain of a removed site would need a proof of its ownership for 30 days, also
 * when a test is tried again.
 */
export const createUnusedDomain = (name: string): string => `${name}-${randomBytes(4).toString('hex')}.com.br`;
