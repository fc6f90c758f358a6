import { type RequestHandler, type Response, Router } from 'express';
import { RuleError } from '../errors';
import { groupBy } from '../group-by';
import type { AccessControl } from './authentication';
import type { Endpoint } from './endpoint';
import { sendError } from './error-handler';
import { httpMessages } from './http.messages';
import { readBody } from './request-body';

/** Answers 405 with the allowed methods of the path. */
function refuseMethod(response: Response, allow: readonly string[]): void {
  response.set('Allow', allow.join(', '));
  sendError(response, 405, httpMessages.wrongMethod);
}

/** Allows GET and HEAD only, for paths that are no endpoint: the documentation. */
export const allowReadsOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') next();
  else refuseMethod(response, ['GET', 'HEAD']);
};

/** Routes all endpoints. A path with an undeclared method answers 405 with the declared ones. */
export function createRouter(endpoints: readonly Endpoint[], accessControl: AccessControl): Router {
  const router = Router({ caseSensitive: true });
  const endpointsByPath = groupBy(endpoints, ({ path }) => path);
  for (const endpoint of endpoints) {
    const operation = `${endpoint.method.toUpperCase()} ${endpoint.path}`;
    router[endpoint.method](endpoint.path, readBody(endpoint, accessControl), (request, response) => {
      response.locals.operation = operation;
      return endpoint.handle(request, response, accessControl);
    });
  }
  // Registered after all endpoints. Paths with fewer parameters come first: `/subdomains/test` has one method, while
  // `/subdomains/:name` would match it with others.
  for (const [path, endpointsOfPath] of [...endpointsByPath].sort(
    ([a], [b]) => countParameters(a) - countParameters(b),
  )) {
    const allow = endpointsOfPath.map(({ method }) => method.toUpperCase());
    if (allow.includes('GET')) allow.push('HEAD');
    router.all(path, (_request, response) => refuseMethod(response, allow));
  }
  router.use(() => {
    throw new RuleError('notFound', httpMessages.notFound);
  });
  return router;
}

const countParameters = (path: string): number => path.split('/:').length - 1;
