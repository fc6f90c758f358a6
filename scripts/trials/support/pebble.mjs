/** Debian's ACME test server (pebble), in a namespace where ports 80 and 443 are free. */
import { writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Program, until } from '../../testing/plain.mjs';
import { programOf } from './debian.mjs';

const { createAuthority } = createRequire(import.meta.url)('../../../core-api/src/testing/certificates.ts');

/** Where it is asked for certificates. */
export const PEBBLE = 'https://localhost:14000/dir';
const ROOTS = 'https://localhost:15000/roots/0';

/**
 * What needs a network, and its own certificate. Whoever asks it trusts `authority.pem` in `folder`.
 * @returns the program
 */
export async function preparePebble(folder) {
  const authority = await createAuthority();
  const { key, cert } = await authority.issue(['localhost']);
  const files = { 'pebble.key': key, 'pebble.pem': cert, 'authority.pem': authority.certificate };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return programOf(join(folder, 'pebble'), 'pebble', 'pebble');
}

/** The body of an answer. `NODE_EXTRA_CA_CERTS` of this process names the authority. */
const read = (url) =>
  new Promise((resolve, reject) => {
    get(url, async (answer) => {
      let text = '';
      for await (const part of answer) text += part;
      resolve(text);
    }).once('error', reject);
  });

/**
 * @param folder that was prepared
 * @param dns address of the server that it asks for names
 * @param validDays of what it issues
 */
export async function startPebble(folder, program, dns, validDays) {
  const configuration = {
    listenAddress: '127.0.0.1:14000',
    managementListenAddress: '127.0.0.1:15000',
    certificate: join(folder, 'pebble.pem'),
    privateKey: join(folder, 'pebble.key'),
    httpPort: 80,
    tlsPort: 443,
    ocspResponderURL: '',
    certificateValidityPeriod: validDays * 24 * 3_600,
  };
  writeFileSync(join(folder, 'pebble.json'), JSON.stringify({ pebble: configuration }));
  const running = new Program('pebble', ['-config', join(folder, 'pebble.json'), '-dnsserver', dns], {
    command: program,
    environment: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
  });
  await running.printed('Listening on');
  return {
    pid: running.pid,
    /** Certificate that all others hang on. */
    root: await until('the root of pebble', () => read(ROOTS).catch(() => undefined)),
    /** Orders of certificates so far. */
    orders: () => running.output.split('POST /order-plz').length - 1,
    end: () => running.end(),
  };
}
