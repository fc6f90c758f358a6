import type { Request, RequestHandler } from 'express';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  visit,
} from 'graphql';
import { createUnauthenticatedError } from '../core/errors';
import { collectFields } from '../graph/collect-fields';
import { MAX_TOKENS } from '../graph/limits';
import { messages } from '../messages';
import { checkToken, sendGraphError } from './token-check';

/** Fields of `Query` and `Mutation` that need no token. */
const PUBLIC_FIELDS = new Set(['__typename', 'installation', 'login', 'setupAdmin', 'sendContactMessage']);
/** Documents with more fields take long to validate, so the core checks their token first. */
const MAX_UNCHECKED_FIELDS = 100;
const MAX_ANONYMOUS_FIELDS = 50;

const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

type ParsedRequest = { document: DocumentNode; operationName: string | undefined };

/** The document of a POST or GET; undefined if the document is missing or has a syntax error. */
function readDocument(request: Request): ParsedRequest | undefined {
  const source: object = request.method === 'GET' ? request.query : (request.body ?? {});
  const query = 'query' in source ? asString(source.query) : undefined;
  if (query === undefined) return undefined;
  try {
    const operationName = 'operationName' in source ? asString(source.operationName) : undefined;
    return { document: parse(query, { maxTokens: MAX_TOKENS, noLocation: true }), operationName };
  } catch {
    return undefined; // Apollo Server parses the document again and reports the syntax error.
  }
}

/** Whether an operation of the document has a field that needs a token. */
function needsToken({ definitions }: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  return definitions.some(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      collectFields(definition.selectionSet, (name) => fragments.get(name)).some(
        ({ name }) => !PUBLIC_FIELDS.has(name.value),
      ),
  );
}

function countFields(document: DocumentNode): number {
  let count = 0;
  visit(document, {
    [Kind.FIELD]: () => {
      count += 1;
    },
  });
  return count;
}

const createBadRequestError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', error: message, http: { status: 400 } } });

/** Returns the error of a document that must be refused before its validation, else undefined. */
function findRefusal({ document, operationName }: ParsedRequest, isAnonymous: boolean, fieldCount: number) {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  // The schema has no subscriptions. Apollo Server would log each one as a server error, so anybody could fill the log.
  if (operations.some(({ operation }) => operation === OperationTypeNode.SUBSCRIPTION))
    return createBadRequestError(messages.subscription);
  if (operations.length > 1 && operationName === undefined) return createBadRequestError(messages.operationName);
  if (!isAnonymous) return undefined;
  if (needsToken(document)) return createUnauthenticatedError(messages.unauthenticated);
  return fieldCount > MAX_ANONYMOUS_FIELDS ? createBadRequestError(messages.tooManyFields) : undefined;
}

/**
 * Refuses documents before their validation, because validation blocks the event loop. Without a token, a document
 * with a field that needs a token is refused. With a token that the core refuses, every large document is refused.
 */
export const createDocumentGuard =
  (coreUrl: string): RequestHandler =>
  async (request, response, next) => {
    const parsedRequest = readDocument(request);
    if (!parsedRequest) {
      next();
      return;
    }
    const fieldCount = countFields(parsedRequest.document);
    const isAnonymous = !request.headers.authorization;
    const refusal = findRefusal(parsedRequest, isAnonymous, fieldCount);
    if (refusal) sendGraphError(response, refusal);
    else if (isAnonymous || fieldCount <= MAX_UNCHECKED_FIELDS || (await checkToken(coreUrl, request, response)))
      next();
  };
