import express, { type Request, type RequestHandler } from 'express';
import { checkToken } from './token-check';

const LIMIT_BYTES = 100 * 1024;
const IMPORT_LIMIT_BYTES = 4 * 1024 * 1024;
/** The only operation whose variables may be large (contract §2). */
const IMPORT_OPERATION = /\bimportGatewayRoutes\b/;

/** Compressed bodies are refused (`inflate: false`), because a few bytes can hold megabytes of JSON (contract §2). */
const parseSmallBody = express.json({ limit: LIMIT_BYTES, inflate: false });
const parseLargeBody = express.json({
  limit: IMPORT_LIMIT_BYTES,
  inflate: false,
  verify(_request, response, bytes) {
    Object.assign(response, { bodyBytes: bytes.length });
  },
});

const exceedsSmallLimit = (response: object): boolean =>
  'bodyBytes' in response && Number(response.bodyBytes) > LIMIT_BYTES;

/** A body without a `Content-Length` may be large, too. */
const mayBeLarge = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LIMIT_BYTES;

/**
 * Parses bodies of the graph: up to 100 KB, or up to 4 MB for an import of routes. More than 100 KB are read only after
 * the core has accepted the token.
 */
export const createGraphBodyParser =
  (coreUrl: string): RequestHandler =>
  async (request, response, next) => {
    if (!request.headers.authorization || !mayBeLarge(request)) {
      parseSmallBody(request, response, next);
      return;
    }
    if (!(await checkToken(coreUrl, request, response))) return;
    parseLargeBody(request, response, (error?: unknown) => {
      const isImport = typeof request.body?.query === 'string' && IMPORT_OPERATION.test(request.body.query);
      const isTooLarge = !error && exceedsSmallLimit(response) && !isImport;
      next(isTooLarge ? Object.assign(new Error('too large'), { status: 413 }) : error);
    });
  };
