import type { Request, Response } from 'express';
import { GraphQLError } from 'graphql';
import { createCoreClient, unwrapVoid } from '../core/client';
import { createCaller } from './caller';

/** Sends an error in the form of a graph response, with 200 if the error has no status, as Apollo Server does. */
export function sendGraphError(response: Response, { message, extensions }: GraphQLError): void {
  const { http, ...otherExtensions } = extensions;
  const status = typeof http === 'object' && http !== null && 'status' in http ? Number(http.status) : 200;
  response.status(status).json({ errors: [{ message, extensions: otherExtensions }] });
}

/**
 * Asks the core whether the token of the request is valid. Unless the core confirms it, sends an error of the graph.
 * @returns whether the token is valid
 */
export async function checkToken(coreUrl: string, request: Request, response: Response): Promise<boolean> {
  try {
    await unwrapVoid(createCoreClient(coreUrl, createCaller(request, response)).GET('/me'));
    return true;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    sendGraphError(response, error);
    return false;
  }
}
