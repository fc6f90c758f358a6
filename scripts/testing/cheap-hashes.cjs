/**
 * Tests start their programs with `--require` of this file. Every core hashes the password of its administrator, and
 * every test logs in. These programs therefore hash passwords with 8 KB and one pass instead of 19 MB and two passes. A
 * hash contains its parameters, so every program can verify the hash.
 */
const Module = require('node:module');

const NAME = '@node-rs/argon2';
const PARAMETERS = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** The part of Node's loader that has no types. */
const loader = Object(Module);

/** A program with `hash-calls.cjs` keeps the parameters of the product, because `login-work.test.ts` checks them. */
const isReplaced = !process.env.NODE_OPTIONS?.includes('hash-calls.cjs');

if (isReplaced) {
  const load = loader._load;
  loader._load = (/** @type {string} */ request, ...rest) => {
    const loaded = load(request, ...rest);
    if (request !== NAME) return loaded;
    return { ...loaded, hash: (/** @type {string} */ password) => loaded.hash(password, PARAMETERS) };
  };
}
