import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { messages } from '../messages';

const PERMISSIONS = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';

const setCommonHeaders = helmet({
  // Pages set their own policy. No other response may load anything.
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  strictTransportSecurity: false,
  // Browsers warn if hosts of one site differ in this header, and the sites of customers do not have it.
  originAgentCluster: false,
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  xFrameOptions: { action: 'deny' },
});

const setTransportSecurity = helmet.strictTransportSecurity({ maxAge: 31_536_000 });

/** Forbids caches to store the response. */
export const forbidStoring: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** Sets the security headers of every response; `Strict-Transport-Security` only for requests over TLS. */
export const setSecurityHeaders: RequestHandler = (request, response, next) => {
  response.set('Permissions-Policy', PERMISSIONS);
  setCommonHeaders(request, response, (error) => {
    if (error || !request.secure) next(error);
    else setTransportSecurity(request, response, next);
  });
};

/**
 * Apollo Server parses these headers in quadratic time: 15 KB of spaces take ten seconds. Clients send less than 150
 * characters.
 */
const MEDIA_TYPE_HEADERS = ['accept', 'content-type'] as const;
const MAX_MEDIA_TYPE_LENGTH = 256;

/** Refuses requests whose `Accept` or `Content-Type` is too long. */
export const limitMediaTypes: RequestHandler = ({ headers }, response, next) => {
  if (MEDIA_TYPE_HEADERS.every((name) => (headers[name]?.length ?? 0) <= MAX_MEDIA_TYPE_LENGTH)) next();
  else response.status(431).json({ error: messages.longHeaders });
};
