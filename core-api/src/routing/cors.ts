import type { CorsRow } from './config-snapshot';

/** CORS policy of one service, compiled to header lines, each with its CRLF. */
export interface CompiledCors {
  /** Lines for every response except preflights. @param origin the request's `Origin` */
  responseLines(origin: string | undefined): string;
  /** Lines for the response to a preflight. @param methods methods of the service at that path */
  preflightLines(origin: string | undefined, methods: readonly string[]): string;
}

/** Exposed headers of a policy with credentials, for which browsers do not accept `*` (Fetch §3.3.3). */
const EXPOSED_WITH_CREDENTIALS =
  'Content-Disposition, Content-Range, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id, X-Total-Count';

export function compileCors({ origins, headers, credentials, maxAgeSeconds }: CorsRow): CompiledCors {
  const listed = origins === '*' ? undefined : new Set(origins);
  const vary = listed ? 'Vary: Origin\r\n' : '';
  const allowCredentials = credentials ? 'Access-Control-Allow-Credentials: true\r\n' : '';
  const exposed = `Access-Control-Expose-Headers: ${credentials ? EXPOSED_WITH_CREDENTIALS : '*'}\r\n`;
  const allowed = (origin: string | undefined): string | undefined => {
    if (!listed) return '*';
    return origin !== undefined && listed.has(origin) ? origin : undefined;
  };
  // The gateway itself requires `X-API-Key`, and `Content-Type: application/json` is not CORS-safelisted.
  const allowedHeaders = [...new Set(['x-api-key', 'content-type', ...headers.map((name) => name.toLowerCase())])].join(
    ', ',
  );
  return {
    responseLines(origin) {
      const permitted = allowed(origin);
      if (permitted === undefined) return vary;
      return `Access-Control-Allow-Origin: ${permitted}\r\n${allowCredentials}${exposed}${vary}`;
    },
    preflightLines(origin, methods) {
      const permitted = allowed(origin);
      if (permitted === undefined) return vary;
      return `Access-Control-Allow-Origin: ${permitted}\r\n${allowCredentials}Access-Control-Allow-Methods: ${methods.join(', ')}\r\nAccess-Control-Allow-Headers: ${allowedHeaders}\r\nAccess-Control-Max-Age: ${maxAgeSeconds}\r\n${vary}`;
    },
  };
}
