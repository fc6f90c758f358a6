import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'sk7_';

/** 256 random bits behind a recognisable prefix. */
export const generateKey = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

/** By which people know a key: too little to guess the rest from. */
export const prefixOf = (key: string): string => key.slice(0, 12);

/** What is stored and looked up instead of the key: SHA-256 in hexadecimal. */
export const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex');
