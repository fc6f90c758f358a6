import type { CorsRow } from '../config-snapshot';

/** CORS policy of one service, compiled to header lines, each with its CRLF. */
export interface CompiledCors {
  /** Returns the lines for the response to any request except a preflight. @param origin the request's `Origin` */
  createResponseLines(origin: string | undefined): string;
  /** Returns the lines for the response to a preflight. @param methods methods of the service at the path */
  createPreflightLines(origin: string | undefined, methods: readonly string[]): string;
}

/** Exposed headers of a policy with credentials, for which browsers do not accept `*` (Fetch §3.3.3). */
const EXPOSED_WITH_CREDENTIALS =
  'Content-Disposition, Content-Range, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id, X-Total-Count';

export function compileCors({ origins, headers, credentials, maxAgeSeconds }: CorsRow): CompiledCors {
  const allowedOrigins = origins === '*' ? undefined : new Set(origins);
  const vary = allowedOrigins ? 'Vary: Origin\r\n' : '';
  const allowCredentials = credentials ? 'Access-Control-Allow-Credentials: true\r\n' : '';
  const exposed = `Access-Control-Expose-Headers: ${credentials ? EXPOSED_WITH_CREDENTIALS : '*'}\r\n`;
  const findAllowedOrigin = (origin: string | undefined): string | undefined => {
    if (!allowedOrigins) return '*';
    return origin !== undefined && allowedOrigins.has(origin) ? origin : undefined;
  };
  // Clients always need `X-API-Key` and often `Content-Type: application/json`, which is not CORS-safelisted.
  const allowedHeaders = [...new Set(['x-api-key', 'content-type', ...headers.map((name) => name.toLowerCase())])].join(
    ', ',
  );
  return {
    createResponseLines(origin) {
      const allowedOrigin = findAllowedOrigin(origin);
      if (allowedOrigin === undefined) return vary;
      return `Access-Control-Allow-Origin: ${allowedOrigin}\r\n${allowCredentials}${exposed}${vary}`;
    },
    createPreflightLines(origin, methods) {
      const allowedOrigin = findAllowedOrigin(origin);
      if (allowedOrigin === undefined) return vary;
      return `Access-Control-Allow-Origin: ${allowedOrigin}\r\n${allowCredentials}Access-Control-Allow-Methods: ${methods.join(', ')}\r\nAccess-Control-Allow-Headers: ${allowedHeaders}\r\nAccess-Control-Max-Age: ${maxAgeSeconds}\r\n${vary}`;
    },
  };
}
