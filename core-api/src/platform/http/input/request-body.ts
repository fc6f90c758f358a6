import express, { type RequestHandler } from 'express';
import { CALL_BUDGET_MS, withTimeBudget } from '../../database/connection/deadline';
import { admit } from '../access/admission';
import type { AccessControl } from '../access/authentication';
import type { Endpoint } from '../endpoint';

/** Creates a parser that refuses compressed bodies, as a few bytes can expand to megabytes of JSON (contract §2). */
const createParser = (limit: string): RequestHandler => express.json({ limit, strict: false, inflate: false });
const parser = createParser('100kb');
const largeParser = createParser('4mb');

type Headers = Parameters<RequestHandler>[0]['headers'];

const hasBody = (headers: Headers): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const createParserError = (type: string): Error => Object.assign(new Error(type), { type });

/** Marks a request whose handler reads the body. */
export const markUpload: RequestHandler = (_request, response, next) => {
  response.locals.isUpload = true;
  next();
};

/** Refuses a body that is not plain `application/json` in UTF-8 (contract §2, §8), before reading the body. */
export const requirePlainJson: RequestHandler = (request, response, next) => {
  const { headers } = request;
  if (hasBody(headers) && !response.locals.isUpload) {
    const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    if (encoding !== 'identity') throw createParserError('encoding.unsupported');
    const charset = /charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
    if (!(request.is('application/json') && /^utf-?8$/i.test(charset))) throw createParserError('charset.unsupported');
  }
  next();
};

/**
 * Creates middleware that reads and parses the body of a call. It first checks the access, because a caller without
 * access must not cause this work.
 */
export const readBody =
  (
    { access, largeBody, upload }: Pick<Endpoint, 'access' | 'largeBody' | 'upload'>,
    accessControl: AccessControl,
  ): RequestHandler =>
  async (request, response, next) => {
    if (upload || !hasBody(request.headers)) {
      next();
      return;
    }
    if (access) await withTimeBudget(CALL_BUDGET_MS, () => admit(request, response, access, accessControl));
    const parse = largeBody ? largeParser : parser;
    parse(request, response, next);
  };
