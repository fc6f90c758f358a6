import type { Request, Response } from 'express';
import { z } from 'zod';
import { withTimeBudget } from '../database/deadline';
import type { ChangeContext } from '../database/source';
import { RuleError } from '../errors';
import type { Authenticate, Principal } from './authentication';
import { httpMessages } from './http.messages';

type Method = 'get' | 'post' | 'put' | 'delete';
type Status = 200 | 201 | 204;

/** What every request brings: its parts as their schemas read them, and where it came from. */
interface Input<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
  clientAddress: string;
  requestId: string;
}

interface Declaration<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Result extends z.ZodType,
> {
  method: Method;
  /** Below `/api`, parameters as `:name`. */
  path: string;
  tag: string;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Takes a body of up to 4 MB instead of 100 KB (contract §7). */
  largeBody?: boolean;
  /** A body that is accepted, for the documentation. */
  example?: z.input<Body>;
  status: Status;
  /** Also the presenter: what it does not name is not answered. */
  response: Result;
  /** Statuses that rules of this endpoint may answer, besides those that every endpoint of its kind can. */
  errorStatuses: readonly number[];
  /** Takes `If-Match: "<version>"`: a change of another version than the one that was seen is refused (412). */
  ifMatch?: boolean;
  /** Of an answer that is a text; JSON when left out. */
  contentType?: 'text/csv';
  /** The response carries a secret. */
  noStore?: boolean;
  /** Milliseconds that it may wait for the database in all; `DATABASE_MS` when left out. */
  databaseMs?: number;
}

export interface Endpoint extends Declaration<z.ZodType, z.ZodType, z.ZodType, z.ZodType> {
  /** Needs no token. */
  readonly public: boolean;
  handle(request: Request, response: Response, authenticate: Authenticate): Promise<void>;
}

/**
 * The version that `If-Match` names. `*` and a missing header name none; what is no version equals none, so that nothing
 * is overwritten.
 */
function expectedVersionOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return Number(/^\s*"(\d{1,9})"\s*$/.exec(header)?.[1] ?? Number.NaN);
}

/** contract §7, "Outages": 503 within 6 s. */
const DATABASE_MS = 5_500;

const nothing = z.object({});
export const noContent = z.void();

/** First sentence per field; `fields` keys are the body's names. */
function fieldsOf(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) fields[String(path[0] ?? '')] ??= message;
  return fields;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = fieldsOf(result.error);
  throw new RuleError('invalid', result.error.issues[0]?.message ?? httpMessages.invalid, { fields });
}

/** A malformed id names no entity: 404, not 400 (contract §2). */
function parseParams<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new RuleError('notFound', httpMessages.notFound);
}

/** One that is left out has no field; JSON that is no object has none that anybody could name. */
function parseBody<Schema extends z.ZodType>(schema: Schema, value: unknown = {}): z.output<Schema> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return parse(schema, value);
  throw new RuleError('invalid', httpMessages.noObject);
}

function parseInput<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  declaration: Pick<Declaration<Params, Query, Body, z.ZodType>, 'params' | 'query' | 'body'>,
  request: Request,
  response: Response,
): Input<Params, Query, Body> {
  const { params = nothing, query = nothing, body = nothing } = declaration;
  return {
    params: parseParams(params, request.params) as z.output<Params>,
    query: parse(query, request.query) as z.output<Query>,
    body: parseBody(body, request.body) as z.output<Body>,
    clientAddress: response.locals.clientAddress,
    requestId: response.locals.requestId,
  };
}

function send(
  declaration: Declaration<z.ZodType, z.ZodType, z.ZodType, z.ZodType>,
  response: Response,
  result: unknown,
) {
  if (declaration.noStore) response.set('Cache-Control', 'no-store');
  response.status(declaration.status);
  if (declaration.status === 204) {
    response.end();
    return;
  }
  const answer = declaration.response.parse(result);
  if (declaration.contentType) response.type(declaration.contentType).send(answer);
  else response.json(answer);
}

/** One declaration gives validation, a typed handler, the OpenAPI path and the list of allowed methods. */
export function endpoint<
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof nothing,
  Result extends z.ZodType = typeof noContent,
>(
  declaration: Declaration<Params, Query, Body, Result> & {
    run(input: Input<Params, Query, Body> & { principal: Principal; context: ChangeContext }): Promise<z.input<Result>>;
  },
): Endpoint {
  return {
    ...declaration,
    public: false,
    async handle(request, response, authenticate) {
      const { databaseMs } = declaration;
      // A call that may work for longer learns as soon as every other one that the database does not answer.
      const known = databaseMs && (await withTimeBudget(DATABASE_MS, () => authenticate(request)));
      await withTimeBudget(databaseMs ?? DATABASE_MS, async () => {
        const principal = known || (await authenticate(request));
        const input = parseInput<Params, Query, Body>(declaration, request, response);
        const { requestId, clientAddress: address } = response.locals;
        const expectedVersion = declaration.ifMatch ? expectedVersionOf(request.get('if-match')) : undefined;
        const context = { actor: principal.username, requestId, address, expectedVersion };
        send(declaration, response, await declaration.run({ ...input, principal, context }));
      });
    },
  };
}

/** An `endpoint` that needs no token and knows no account. */
export function publicEndpoint<
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof nothing,
  Result extends z.ZodType = typeof noContent,
>(
  declaration: Declaration<Params, Query, Body, Result> & {
    run(input: Input<Params, Query, Body>): Promise<z.input<Result>>;
  },
): Endpoint {
  return {
    ...declaration,
    public: true,
    handle: (request, response) =>
      withTimeBudget(declaration.databaseMs ?? DATABASE_MS, async () => {
        const input = parseInput<Params, Query, Body>(declaration, request, response);
        send(declaration, response, await declaration.run(input));
      }),
  };
}
