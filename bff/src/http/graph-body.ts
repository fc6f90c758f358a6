import express, { type Request, type RequestHandler } from 'express';
import { acceptsToken } from './token-check';

const LIMIT_BYTES = 100 * 1024;
const IMPORT_LIMIT_BYTES = 4 * 1024 * 1024;
/** The only operation whose variables may be large (contract §2). */
const IMPORT = /\bimportGatewayRoutes\b/;

/** `inflate: false`: a few compressed bytes can hold megabytes of JSON (contract §2). */
const small = express.json({ limit: LIMIT_BYTES, inflate: false });
const large = express.json({
  limit: IMPORT_LIMIT_BYTES,
  inflate: false,
  verify(_request, response, bytes) {
    Object.assign(response, { bodyBytes: bytes.length });
  },
});

const isLarge = (response: object): boolean => 'bodyBytes' in response && Number(response.bodyBytes) > LIMIT_BYTES;

/** A body whose length is not announced may be large, too. */
const mayBeLarge = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LIMIT_BYTES;

/**
 * Parses bodies of the graph: up to 100 KB, or up to 4 MB for an import of routes. More than 100 KB are read only after
 * the core has accepted the token.
 */
export const graphBody =
  (coreUrl: string): RequestHandler =>
  async (request, response, next) => {
    if (!request.headers.authorization || !mayBeLarge(request)) {
      small(request, response, next);
      return;
    }
    if (!(await acceptsToken(coreUrl, request, response))) return;
    large(request, response, (error?: unknown) => {
      const imports = typeof request.body?.query === 'string' && IMPORT.test(request.body.query);
      const tooLarge = !error && isLarge(response) && !imports;
      next(tooLarge ? Object.assign(new Error('too large'), { status: 413 }) : error);
    });
  };
