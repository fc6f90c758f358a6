import type { RequestHandler } from 'express';
import helmet from 'helmet';

const PERMISSIONS = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()';

const always = helmet({
  // Pages bring a policy of their own; whatever has none may load nothing.
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  strictTransportSecurity: false,
  // Browsers warn of it once another host of the same site was seen without it, and the sites of customers are such hosts.
  originAgentCluster: false,
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  xFrameOptions: { action: 'deny' },
});

const overTls = helmet.strictTransportSecurity({ maxAge: 31_536_000 });

/** For answers that nothing on the way may keep. */
export const notKept: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** The headers that every answer has; `Strict-Transport-Security` only where the visitor came over TLS. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  response.set('Permissions-Policy', PERMISSIONS);
  always(request, response, (error) => {
    if (error || !request.secure) next(error);
    else overTls(request, response, next);
  });
};
