import { randomBytes } from 'node:crypto';

const PREFIX = 'sk7_';

/** Generates a key from a recognisable prefix and 256 random bits. */
export const generateKey = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

/** The first characters of a key, which the console shows. They are too few to guess the rest. */
export const toKeyPrefix = (key: string): string => key.slice(0, 12);
