/** Runs Debian's ACME test server (pebble) in a namespace in which ports 80 and 443 are free. */
import { writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Program, waitFor } from '../../testing/harness.mjs';
import { findProgram } from './debian.mjs';

const { createCertificateAuthority } = createRequire(import.meta.url)('../../../core-api/src/testing/certificates.ts');

/** The ACME directory of pebble. */
export const PEBBLE = 'https://localhost:14000/dir';
const ROOTS = 'https://localhost:15000/roots/0';

/**
 * Downloads pebble and creates its certificate. Clients of pebble trust `authority.pem` in `folder`.
 * @returns path of the program
 */
export async function preparePebble(folder) {
  const authority = await createCertificateAuthority();
  const { key, cert } = await authority.issue(['localhost']);
  const files = { 'pebble.key': key, 'pebble.pem': cert, 'authority.pem': authority.certificate };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return findProgram(join(folder, 'pebble'), 'pebble', 'pebble');
}

/** Reads the body of a response. This process trusts the authority by `NODE_EXTRA_CA_CERTS`. */
const read = (url) =>
  new Promise((resolve, reject) => {
    get(url, async (response) => {
      let text = '';
      for await (const piece of response) text += piece;
      resolve(text);
    }).once('error', reject);
  });

/**
 * Starts pebble.
 * @param folder the folder that `preparePebble` filled
 * @param dns address of the DNS server that pebble asks
 * @param validDays validity of the certificates
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
  await running.waitForOutput('Listening on');
  return {
    pid: running.pid,
    root: await waitFor('the root of pebble', () => read(ROOTS).catch(() => undefined)),
    /** Counts the ordered certificates. */
    countOrders: () => running.output.split('POST /order-plz').length - 1,
    end: () => running.end(),
  };
}
