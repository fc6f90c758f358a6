import type { Request, Response } from 'express';
import type { EntityManager } from 'typeorm';
import { RuleError } from '../errors';
import type { Access } from './access';
import { type AccessControl, type Principal, sessionOf } from './authentication';
import { authorize, refuseFewerRights } from './authorization';
import { httpMessages } from './http.messages';

/**
 * Authenticates and authorizes a request. It is called before a body is read and again for the handler, because the account
 * may have lost its rights while the body arrived.
 * @throws RuleError unauthenticated, forbidden; in the order of contract §8
 */
export async function admit(
  request: Request,
  response: Response,
  access: Access,
  accessControl: AccessControl,
): Promise<Principal> {
  const principal = await accessControl.authenticate(request);
  authorize(principal, access, response.locals.clientAddress);
  if (access.sudo && !(await accessControl.hasSudo(sessionOf(principal))))
    throw new RuleError('forbidden', httpMessages.sudoRequired, { sudoRequired: true });
  return principal;
}

/**
 * The error of a request whose caller has lost rights since it was admitted, read in the transaction of its change.
 * @returns undefined if the caller still has the rights of `admitted`
 */
export async function findLostRights(
  request: Request,
  response: Response,
  access: Access,
  accessControl: AccessControl,
  admitted: Principal,
  manager: EntityManager,
): Promise<RuleError | undefined> {
  try {
    const current = await accessControl.authenticate(request, manager);
    authorize(current, access, response.locals.clientAddress);
    refuseFewerRights(admitted, current, access);
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
}
