import type { CorsRow } from './rows';

/** A service's answer to pages of other origins, as header lines, each with its CRLF. */
export interface CompiledCors {
  /** For any answer. @param origin the request's `Origin`, when it has one */
  answerLines(origin: string | undefined): string;
  /** For the answer to a preflight. @param methods of the service at that path */
  preflightLines(origin: string | undefined, methods: readonly string[]): string;
}

/** What a page may read beyond the fields that need no permission; `*` means them all, but not with credentials. */
const READABLE_WITH_CREDENTIALS =
  'Content-Disposition, Content-Range, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id, X-Total-Count';

export function compileCors({ origins, headers, credentials, maxAgeSeconds }: CorsRow): CompiledCors {
  const listed = origins === '*' ? undefined : new Set(origins);
  const vary = listed ? 'Vary: Origin\r\n' : '';
  const more = credentials ? 'Access-Control-Allow-Credentials: true\r\n' : '';
  const readable = `Access-Control-Expose-Headers: ${credentials ? READABLE_WITH_CREDENTIALS : '*'}\r\n`;
  const allowed = (origin: string | undefined): string | undefined => {
    if (!listed) return '*';
    return origin !== undefined && listed.has(origin) ? origin : undefined;
  };
  // The gateway itself asks for the key, and to a browser JSON is a type that needs leave.
  const sendable = [...new Set(['x-api-key', 'content-type', ...headers])].join(', ');
  return {
    answerLines(origin) {
      const permitted = allowed(origin);
      if (permitted === undefined) return vary;
      return `Access-Control-Allow-Origin: ${permitted}\r\n${more}${readable}${vary}`;
    },
    preflightLines(origin, methods) {
      const permitted = allowed(origin);
      if (permitted === undefined) return vary;
      return `Access-Control-Allow-Origin: ${permitted}\r\n${more}Access-Control-Allow-Methods: ${methods.join(', ')}\r\nAccess-Control-Allow-Headers: ${sendable}\r\nAccess-Control-Max-Age: ${maxAgeSeconds}\r\n${vary}`;
    },
  };
}
