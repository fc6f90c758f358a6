import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Caller } from '../core/client';

/** Edge and core check request ids with the same pattern. */
const REQUEST_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

/** Whether the peer is on loopback or in `TRUSTED_PROXIES`, so that its forwarding headers are trusted. */
export const isFromTrustedPeer = ({ app, socket }: Request): boolean =>
  app.get('trust proxy fn')(socket.remoteAddress ?? '', 0) === true;

/** The request id that a trusted peer sent, or a new id. */
export function chooseRequestId(request: Request): string {
  const peerRequestId = isFromTrustedPeer(request) ? request.get('x-request-id') : undefined;
  return peerRequestId && REQUEST_ID.test(peerRequestId) ? peerRequestId : randomUUID();
}

function createDisconnectSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The parts of this request that calls to the core need. `observeRequests` has set id and trace. */
export const createCaller = (request: Request, response: Response): Caller => ({
  authorization: request.get('authorization'),
  requestId: String(response.locals.requestId),
  trace: response.locals.trace,
  clientAddress: request.ip ?? '',
  disconnected: createDisconnectSignal(response),
});
