import { createHash } from 'node:crypto';

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/gi;
/** Data blocks are not executed, so a policy need not allow them. */
const DATA_BLOCK = /\btype="application\/(?:ld\+)?json"/i;

const hashInlineScripts = (html: string): string[] =>
  [...html.matchAll(SCRIPT)]
    .filter(([, attributes = '']) => !/\bsrc=/i.test(attributes) && !DATA_BLOCK.test(attributes))
    .map(([, , code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);

/**
 * The Content-Security-Policy of one page: its own inline scripts by hash, everything else from this origin only.
 * Inline styles are allowed, because Chakra UI inserts them.
 */
export function createPagePolicy(html: string): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...new Set(hashInlineScripts(html))].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
