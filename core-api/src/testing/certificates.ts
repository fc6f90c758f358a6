import { generate } from 'selfsigned';
import { DAY_MS } from '../platform/time/relative-time';

/** Creates a certificate authority for tests. */
export async function createCertificateAuthority() {
  const authority = await generate(
    [
      { name: 'commonName', value: 'Autoridade de Teste' },
      { name: 'organizationName', value: 'Autoridade de Teste' },
    ],
    {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      ],
    },
  );
  return {
    /** The authority's certificate as PEM, for `NODE_EXTRA_CA_CERTS`. */
    certificate: authority.cert,
    /** Issues a certificate. A negative `daysLeft` issues an expired certificate. */
    issue: async (hosts: readonly string[], daysLeft = 90, ageDays = 100) => {
      const issued = await generate([{ name: 'commonName', value: hosts[0] ?? '' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        notBeforeDate: new Date(Date.now() - ageDays * DAY_MS),
        notAfterDate: new Date(Date.now() + daysLeft * DAY_MS),
        ca: { key: authority.private, cert: authority.cert },
        extensions: [{ name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2 as const, value })) }],
      });
      return { key: issued.private, cert: issued.cert };
    },
  };
}
