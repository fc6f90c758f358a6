import { randomBytes } from 'node:crypto';

const PREFIX = 'sk7_';

/** Generates a key: a recognisable prefix and 256 random bits. */
export const generateKey = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

/** The first characters, which the console shows; too few to guess the rest. */
export const toKeyPrefix = (key: string): string => key.slice(0, 12);
