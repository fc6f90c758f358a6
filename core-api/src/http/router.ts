import { type RequestHandler, type Response, Router } from 'express';
import { RuleError } from '../errors';
import type { Authenticate } from './authentication';
import type { Endpoint } from './endpoint';
import { sendError } from './error-handler';
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
export function createRouter(endpoints: readonly Endpoint[], authenticate: Authenticate): Router {
  const router = Router({ caseSensitive: true });
  const byPath = groupByPath(endpoints);
  for (const endpoint of endpoints) {
    const operation = `${endpoint.method.toUpperCase()} ${endpoint.path}`;
    router[endpoint.method](endpoint.path, (request, response) => {
      response.locals.operation = operation;
      return endpoint.handle(request, response, authenticate);
    });
  }
  // After all of them: `/subdomains/test` has one method, and is a subdomain's name to the others; the literal path speaks first.
  for (const [path, declared] of [...byPath].sort(([one], [other]) => parametersOf(one) - parametersOf(other))) {
    const allow = declared.map(({ method }) => method.toUpperCase());
    if (allow.includes('GET')) allow.push('HEAD');
    router.all(path, (_request, response) => refuseMethod(response, allow));
  }
  router.use(() => {
    throw new RuleError('notFound', httpMessages.notFound);
  });
  return router;
}

/** How many segments of a path are parameters. */
const parametersOf = (path: string): number => path.split('/:').length - 1;

function groupByPath(endpoints: readonly Endpoint[]) {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) groups.set(endpoint.path, [...(groups.get(endpoint.path) ?? []), endpoint]);
  return groups;
}
