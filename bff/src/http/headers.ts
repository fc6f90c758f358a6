import type { RequestHandler } from 'express';
import helmet from 'helmet';

const PERMISSIONS = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';

const always = helmet({
  // Pages set a policy of their own; any other answer may load nothing.
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  strictTransportSecurity: false,
  // Browsers warn if hosts of one site differ in this header, and the sites of customers do not have it.
  originAgentCluster: false,
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  xFrameOptions: { action: 'deny' },
});

const overTls = helmet.strictTransportSecurity({ maxAge: 31_536_000 });

/** For answers that no cache may store. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** Sets the security headers of every answer; `Strict-Transport-Security` only for requests over TLS. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  response.set('Permissions-Policy', PERMISSIONS);
  always(request, response, (error) => {
    if (error || !request.secure) next(error);
    else overTls(request, response, next);
  });
};
