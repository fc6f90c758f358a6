import express, { type RequestHandler } from 'express';

const LIMIT_BYTES = 100 * 1024;
const IMPORT_LIMIT_BYTES = 4 * 1024 * 1024;
/** The only operation whose variables may be large (contract §7). */
const IMPORT = /\bimportGatewayRoutes\b/;

const small = express.json({ limit: LIMIT_BYTES });
const large = express.json({
  limit: IMPORT_LIMIT_BYTES,
  verify(_request, response, bytes) {
    Object.assign(response, { bodyBytes: bytes.length });
  },
});

const isLarge = (response: object): boolean => 'bodyBytes' in response && Number(response.bodyBytes) > LIMIT_BYTES;

/** Parses bodies of the graph: up to 100 KB, or up to 4 MB for an import of routes with a token. */
export const graphBody: RequestHandler = (request, response, next) => {
  if (!request.headers.authorization) return small(request, response, next);
  large(request, response, (error?: unknown) => {
    const imports = typeof request.body?.query === 'string' && IMPORT.test(request.body.query);
    const tooLarge = !error && isLarge(response) && !imports;
    next(tooLarge ? Object.assign(new Error('too large'), { status: 413 }) : error);
  });
};
