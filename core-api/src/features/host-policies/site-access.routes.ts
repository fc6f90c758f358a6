import express, { Router } from 'express';
import { z } from 'zod';
import { CALL_BUDGET_MS, withTimeBudget } from '../../platform/database/connection/deadline';
import { RuleError } from '../../platform/errors/rule-error';
import { isFromTrustedPeer } from '../../platform/http/request-logging';
import { ACCESS_COOKIE } from '../../routing/hosts/access-cookie';
import { policyMessages as messages } from './host-policies.messages';
import { COOKIE_LIFETIME_S, type SiteAccessService } from './site-access.service';

const BODY_OPTIONS = { limit: '8kb', inflate: false };

const OWN_PATH = /^\/(?![/\\])[\x21-\x7e]*$/;

/** The password form of a host. `to` becomes the start page unless it is a path of the same site. */
const passwordForm = z.object({ password: z.string().catch(''), to: z.string().regex(OWN_PATH).catch('/') });

const verifyBody = z.object({ host: z.string(), password: z.string() });

const addResult = (path: string, result: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}studio-access=${result}`;

/** The calls with which the edge asks the core to compare passwords. They are not part of the REST API. */
export function createSiteAccessRouter(access: SiteAccessService): Router {
  const router = Router();
  router.use('/site-access', (request, response, next) => {
    // Only the edge, the one trusted peer, may state the host and the client address.
    if (isFromTrustedPeer(request)) next();
    else response.status(404).end();
  });
  router.post('/site-access', express.urlencoded({ ...BODY_OPTIONS, extended: false }), async (request, response) => {
    const { password, to } = passwordForm.parse(request.body ?? {});
    response.set('Cache-Control', 'no-store');
    const attempt = { host: request.host ?? '', password, address: request.ip ?? '' };
    const result = await withTimeBudget(CALL_BUDGET_MS, () => access.logIn(attempt));
    if ('cookie' in result) {
      const attributes = `Path=/; Max-Age=${COOKIE_LIFETIME_S}; Secure; HttpOnly; SameSite=Lax`;
      response.set('Set-Cookie', `${ACCESS_COOKIE}=${result.cookie}; ${attributes}`).redirect(303, to);
    } else response.redirect(303, addResult(to, result.failure));
  });
  router.post('/site-access/verify', express.json(BODY_OPTIONS), async (request, response) => {
    const { success, data } = verifyBody.safeParse(request.body);
    if (!success) throw new RuleError('invalid', messages.wrongPassword);
    const attempt = { ...data, address: request.ip ?? '' };
    const cookie = await withTimeBudget(CALL_BUDGET_MS, () => access.createCookie(attempt));
    response.status(cookie === undefined ? 401 : 204).end();
  });
  return router;
}
