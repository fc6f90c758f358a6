import { type Request, type Response, Router, urlencoded } from 'express';
import { GraphQLError } from 'graphql';
import { createCoreClient, unwrap } from '../core/client';
import { createCaller } from '../http/caller';
import { messages } from '../messages';
import { showContactOutcome } from './contact-outcome';
import { createPagePolicy } from './html';
import type { Page } from './page';

const statusByCode: Record<string, number> = {
  BAD_USER_INPUT: 400,
  TOO_MANY_REQUESTS: 429,
  UPSTREAM_FAILED: 502,
  UPSTREAM_UNAVAILABLE: 503,
};

/**
 * Accepted values of `Sec-Fetch-Site`. `same-site` would admit the pages of tenants. Old browsers do not send the
 * header.
 */
const ACCEPTED_FETCH_SITES = new Set(['same-origin', 'none']);

/** Reads the form's fields. Other fields of the body are ignored. */
function readForm(body: unknown) {
  const readField = (name: string): string => {
    const value = typeof body === 'object' && body !== null ? new Map(Object.entries(body)).get(name) : undefined;
    // Browsers send line ends as CRLF; the message has LF.
    return typeof value === 'string' ? value.replace(/\r\n/g, '\n') : '';
  };
  return {
    name: readField('name'),
    email: readField('email'),
    contactInfo: readField('contactInfo'),
    message: readField('message'),
    website: readField('website'),
  };
}

async function forwardMessage(coreUrl: string, request: Request, response: Response) {
  const values = readForm(request.body);
  try {
    await unwrap(createCoreClient(coreUrl, createCaller(request, response)).POST('/contact', { body: values }));
    return { status: 200, outcome: { isSent: true, text: messages.contactSent, values } };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const { code, error: message } = error.extensions;
    const text = typeof message === 'string' ? message : messages.contactFailed;
    return { status: statusByCode[String(code)] ?? 500, outcome: { isSent: false, text, values } };
  }
}

/** Answers a form that was sent without JavaScript. The response is the contact page with the outcome. */
export function createContactRouter(page: Page, coreUrl: string): Router {
  const router = Router();
  router.post('/contact', urlencoded({ extended: false, limit: '64kb', inflate: false }), async (request, response) => {
    if (!ACCEPTED_FETCH_SITES.has(request.get('sec-fetch-site') ?? 'none')) {
      response.status(403).json({ error: messages.crossSite });
      return;
    }
    const { status, outcome } = await forwardMessage(coreUrl, request, response);
    const html = showContactOutcome(page.renderText(request), outcome);
    response.status(status).type('html');
    response.set({ 'Content-Security-Policy': createPagePolicy(html), 'Cache-Control': 'no-store' }).send(html);
  });
  return router;
}
