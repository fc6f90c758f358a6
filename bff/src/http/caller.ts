import { randomBytes, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Caller } from '../core/client';

const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** W3C Trace Context, version 00; ids of zeros only are invalid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

const newTraceparent = (): string => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`;

/** The request's own id where it is harmless, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.get('x-request-id');
  return given && REQUEST_ID.test(given) ? given : randomUUID();
}

/** What is passed on to the core for this request (`app.ts` has set `requestId`). */
export function callerOf(request: Request, response: Response): Caller {
  const traceparent = request.get('traceparent');
  return {
    authorization: request.get('authorization'),
    requestId: String(response.locals.requestId),
    traceparent: traceparent && TRACEPARENT.test(traceparent) ? traceparent : newTraceparent(),
    clientAddress: request.ip ?? '',
  };
}
