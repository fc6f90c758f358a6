import { type RequestHandler, type Response, Router } from 'express';
import { groupBy } from '../collections/group-by';
import { RuleError } from '../errors/rule-error';
import type { AccessControl } from './access/authentication';
import type { Endpoint } from './endpoint';
import { sendError } from './error-handler';
import { httpMessages } from './http.messages';
import { readBody } from './input/request-body';

/** Answers 405 with the allowed methods of the path. */
function refuseMethod(response: Response, allow: readonly string[]): void {
  response.set('Allow', allow.join(', '));
  sendError(response, 405, httpMessages.wrongMethod);
}

/** Refuses other methods than GET and HEAD on the paths of the documentation, which are no endpoints. */
export const allowReadsOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') next();
  else refuseMethod(response, ['GET', 'HEAD']);
};

/** Routes all endpoints. A request with an undeclared method is answered with 405 and the declared methods. */
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
  // Paths with fewer parameters come first, because `/subdomains/:subdomain` also matches `/subdomains/test`, which
  // allows other methods.
  const sortedPaths = [...endpointsByPath].sort(([a], [b]) => countParameters(a) - countParameters(b));
  for (const [path, endpointsOfPath] of sortedPaths) {
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
