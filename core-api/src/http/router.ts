import { type RequestHandler, type Response, Router } from 'express';
import type { Authentication } from './authentication';
import type { Endpoint } from './endpoint';
import { RuleError, sendError } from './errors';
import { httpMessages } from './http.messages';

/** Answers 405 with the methods that the path does have. */
function refuseMethod(response: Response, allow: readonly string[]): void {
  response.set('Allow', allow.join(', '));
  sendError(response, 405, httpMessages.wrongMethod);
}

/** For what is only read and no endpoint: the documentation. */
export const readOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') next();
  else refuseMethod(response, ['GET', 'HEAD']);
};

/** Routes of all endpoints; a path whose method is not declared answers 405 with what is. */
export function createRouter(endpoints: readonly Endpoint[], authenticate: Authentication): Router {
  const router = Router({ caseSensitive: true });
  const byPath = groupByPath(endpoints);
  for (const [path, declared] of byPath) {
    for (const endpoint of declared) {
      const handler: RequestHandler = async (request, response) => {
        const account = endpoint.public ? undefined : await authenticate(request);
        await endpoint.handle(request, response, account);
      };
      router[endpoint.method](path, handler);
    }
    const allow = declared.map(({ method }) => method.toUpperCase());
    if (allow.includes('GET')) allow.push('HEAD');
    router.all(path, (_request, response) => refuseMethod(response, allow));
  }
  router.use(() => {
    throw new RuleError('notFound', httpMessages.notFound);
  });
  return router;
}

function groupByPath(endpoints: readonly Endpoint[]) {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) groups.set(endpoint.path, [...(groups.get(endpoint.path) ?? []), endpoint]);
  return groups;
}
