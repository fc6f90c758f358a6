import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseHostHeader } from '../../platform/net/hostname';

export const ACCESS_COOKIE = '__Host-studio-access';
/** Path to which the password form is sent, at every host with a password. */
export const ACCESS_PATH = '/.well-known/studio-access';

const signAccess = (key: Buffer, host: string, expires: string): Buffer =>
  createHmac('sha256', key)
    .update(`${parseHostHeader(host)}\n${expires}`)
    .digest();

/** Returns the value of the cookie that the password form sets for one host. @param expiresAt ms since the epoch */
export function createAccessCookie(key: Buffer, host: string, expiresAt: number): string {
  const expires = expiresAt.toString(36);
  return `${expires}.${signAccess(key, host, expires).toString('base64url')}`;
}

/** Returns whether a request's cookies contain a valid cookie of `createAccessCookie`. @param now ms since the epoch */
export function hasAccessCookie(key: Buffer, host: string, cookies: string | undefined, now: number): boolean {
  for (const cookie of (cookies ?? '').split(';')) {
    const [name = '', value = ''] = cookie.trim().split('=', 2);
    if (name !== ACCESS_COOKIE) continue;
    const [expires = '', mac = ''] = value.split('.');
    const receivedMac = Buffer.from(mac, 'base64url');
    const expectedMac = signAccess(key, host, expires);
    if (
      receivedMac.length === expectedMac.length &&
      timingSafeEqual(receivedMac, expectedMac) &&
      Number.parseInt(expires, 36) > now
    )
      return true;
  }
  return false;
}
