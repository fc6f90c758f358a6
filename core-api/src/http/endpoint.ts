import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Account } from '../accounts/account.entity';
import { RuleError } from './errors';
import { httpMessages } from './http.messages';

type Method = 'get' | 'post' | 'put' | 'delete';
type Status = 200 | 201 | 204;

interface Input<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The administrator who asks; absent on public endpoints. */
  account: Account;
  clientAddress: string;
}

interface Declaration<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> {
  method: Method;
  /** Below `/api`, parameters as `:name`. */
  path: string;
  tag: string;
  summary: string;
  /** Needs no token. */
  public?: boolean;
  params?: Params;
  query?: Query;
  body?: Body;
  /** A body that is accepted, for the documentation. */
  example?: z.input<Body>;
  status: Status;
  /** Also the presenter: what it does not name is not answered. */
  answer: Answer;
  /** Statuses that rules of this endpoint may answer, besides those that every endpoint of its kind can. */
  errors: readonly number[];
  /** The answer carries a secret. */
  noStore?: boolean;
  run(input: Input<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<z.input<Answer>>;
}

export interface Endpoint extends Omit<Declaration<z.ZodType, z.ZodType, z.ZodType, z.ZodType>, 'run'> {
  handle(request: Request, response: Response, account: Account | undefined): Promise<void>;
}

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

/** What cannot name an entity finds none (contract §2). */
function parseParams<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new RuleError('notFound', httpMessages.notFound);
}

/** One declaration gives validation, a typed handler, the OpenAPI path and the list of allowed methods. */
export function endpoint<
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof nothing,
  Answer extends z.ZodType = typeof noContent,
>(declaration: Declaration<Params, Query, Body, Answer>): Endpoint {
  const { params = nothing, query = nothing, body = nothing } = declaration;
  return {
    ...declaration,
    async handle(request, response, account) {
      const answer = await declaration.run({
        params: parseParams(params, request.params) as z.output<Params>,
        query: parse(query, request.query) as z.output<Query>,
        body: parse(body, request.body ?? {}) as z.output<Body>,
        account: account as Account,
        clientAddress: response.locals.clientAddress,
      });
      if (declaration.noStore) response.set('Cache-Control', 'no-store');
      response.status(declaration.status);
      if (declaration.status === 204) response.end();
      else response.json(declaration.answer.parse(answer));
    },
  };
}
