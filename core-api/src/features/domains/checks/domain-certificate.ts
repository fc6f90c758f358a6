import { once } from 'node:events';
import { connect, type PeerCertificate } from 'node:tls';
import { getErrorCode } from '../../../platform/errors/error-details';
import type { HostPort } from '../../../platform/net/host-port';
import type { CertificateState } from './domain-status.entity';

const TIMEOUT_MS = 3_000;
/** An invalid certificate counts as `issuing` for this long, because on-demand issuance may need several attempts. */
const ISSUING_MS = 20 * 60_000;

export interface CertificateCheck {
  certificateState: CertificateState;
  issuer: string | null;
  expiresAt: string | null;
  /** Start of the certificate's validity. */
  issuedAt: string | null;
}

export const noCertificate: CertificateCheck = {
  certificateState: 'none',
  issuer: null,
  expiresAt: null,
  issuedAt: null,
};

/**
 * Checks the certificate that a server presents for a host name. The state is `none` if the server refuses the
 * connection. An invalid certificate or a failed handshake is `issuing` for the first 20 minutes, then `failed`.
 * @param watchedMs milliseconds since the domain was added or last became unhealthy
 */
export async function checkCertificate(host: string, address: HostPort, watchedMs: number): Promise<CertificateCheck> {
  const invalidState = watchedMs < ISSUING_MS ? 'issuing' : 'failed';
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // The handshake also accepts an invalid certificate, so that its data is shown. `authorized` gives its validity.
  const socket = connect({ ...address, servername: host, rejectUnauthorized: false });
  socket.on('error', () => undefined); // After the handshake, an error would otherwise be uncaught.
  try {
    await once(socket, 'secureConnect', { signal });
    const certificate = socket.getPeerCertificate();
    return { ...toDetails(certificate), certificateState: socket.authorized ? 'active' : invalidState };
  } catch (error) {
    return { ...noCertificate, certificateState: getErrorCode(error) === 'ECONNREFUSED' ? 'none' : invalidState };
  } finally {
    socket.destroy();
  }
}

const parseInstant = (text: string | undefined): string | null =>
  text && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : null;

function toDetails({ issuer, valid_from, valid_to }: PeerCertificate): Omit<CertificateCheck, 'certificateState'> {
  // Node.js gives an array if the issuer has several values of one attribute.
  const name = [issuer?.O ?? issuer?.CN].flat()[0];
  return { issuer: name?.slice(0, 255) ?? null, expiresAt: parseInstant(valid_to), issuedAt: parseInstant(valid_from) };
}
