/**
 * Tests load this file into a core with `--require`. The core then prints one line for each argon2 call, with the parameters
 * that decide how long the call takes.
 */
const argon2 = require('@node-rs/argon2');

const { hash, verify } = argon2;
const print = (call, parameters) => process.stdout.write(`argon2 ${call} ${parameters}\n`);

argon2.hash = (password, options) => {
  print('hash', JSON.stringify(options));
  return hash(password, options);
};
argon2.verify = (storedHash, password) => {
  print('verify', String(storedHash).split('$').slice(1, 4).join(' '));
  return verify(storedHash, password);
};
