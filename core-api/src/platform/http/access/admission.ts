import type { Request, Response } from 'express';
import { RuleError } from '../../errors/rule-error';
import { httpMessages } from '../http.messages';
import type { Access } from './access';
import { type AccessControl, type Principal, requireSession } from './authentication';
import { authorize } from './authorization';

/**
 * Authenticates and authorizes a request. This happens before the body is read and again before the handler runs,
 * because the account may lose its rights in between.
 * @throws RuleError unauthenticated or forbidden, in the order of contract §6
 */
export async function admit(
  request: Request,
  response: Response,
  access: Access,
  accessControl: AccessControl,
): Promise<Principal> {
  const principal = await accessControl.authenticate(request);
  authorize(principal, access, response.locals.clientAddress);
  if (access.sudo && !(await accessControl.hasSudo(requireSession(principal))))
    throw new RuleError('forbidden', httpMessages.sudoRequired, { extensions: { sudoRequired: true } });
  return principal;
}
