import type { Request, Response } from 'express';
import { GraphQLError } from 'graphql';
import { createCore, unwrapVoid } from '../core/client';
import { callerOf } from './caller';

/** Answers with an error in the form of the graph. */
export function sendGraphError(response: Response, { message, extensions }: GraphQLError): void {
  const { http, ...others } = extensions;
  const status = typeof http === 'object' && http !== null && 'status' in http ? Number(http.status) : 503;
  response.status(status).json({ errors: [{ message, extensions: others }] });
}

/** Whether the core accepts the request's token; if not, answers as the graph does. */
export async function acceptsToken(coreUrl: string, request: Request, response: Response): Promise<boolean> {
  try {
    await unwrapVoid(createCore(coreUrl, callerOf(request, response)).GET('/me'));
    return true;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    sendGraphError(response, error);
    return false;
  }
}
