import { once } from 'node:events';
import { connect, type PeerCertificate } from 'node:tls';
import type { HostPort } from '../rules/host-port';
import type { CertificateState } from './domain-status.entity';

const TIMEOUT_MS = 3_000;
/** On-demand issuance takes time and several attempts. */
const ISSUING_MS = 20 * 60_000;

export interface CertificateCheck {
  certificateState: CertificateState;
  issuer: string | null;
  expiresAt: string | null;
}

export const noCertificate: CertificateCheck = { certificateState: 'none', issuer: null, expiresAt: null };

/**
 * The certificate presented for a host name. `none` where the connection is refused; an invalid one, or no handshake, is
 * `issuing` for 20 minutes and then `failed`.
 * @param watchedMs since the domain was set, or ceased to be in order
 */
export async function checkCertificate(host: string, address: HostPort, watchedMs: number): Promise<CertificateCheck> {
  const unfinished = watchedMs < ISSUING_MS ? 'issuing' : 'failed';
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // Validity is read from `authorized`, so that an invalid certificate can be shown too.
  const socket = connect({ ...address, servername: host, rejectUnauthorized: false });
  socket.on('error', () => undefined);
  try {
    await once(socket, 'secureConnect', { signal });
    const certificate = socket.getPeerCertificate();
    return { ...describe(certificate), certificateState: socket.authorized ? 'active' : unfinished };
  } catch (error) {
    const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    return { ...noCertificate, certificateState: refused ? 'none' : unfinished };
  } finally {
    socket.destroy();
  }
}

function describe({ issuer, valid_to: end }: PeerCertificate): Pick<CertificateCheck, 'issuer' | 'expiresAt'> {
  const name = [issuer?.O ?? issuer?.CN].flat()[0];
  return {
    issuer: name?.slice(0, 255) ?? null,
    expiresAt: end && !Number.isNaN(Date.parse(end)) ? new Date(end).toISOString() : null,
  };
}
