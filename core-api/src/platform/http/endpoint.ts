import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { CALL_BUDGET_MS, withTimeBudget } from '../database/connection/deadline';
import type { ChangeContext } from '../database/database';
import { catchRuleError, RuleError } from '../errors/rule-error';
import type { Access } from './access/access';
import { admit } from './access/admission';
import type { AccessControl, Principal } from './access/authentication';
import { authorize, refuseFewerRights } from './access/authorization';
import { httpMessages } from './http.messages';
import { idParams } from './input/fields';
import { parseBody, parseIfMatch, parseParams, parseQuery } from './input/parse-request';
import { ListPages, sendList } from './lists/list-pages';

type Method = 'get' | 'post' | 'put' | 'delete';

/** Method and path below `/api` with parameters as `:name`, such as `GET /tenants/:id`. */
type Operation = `${Uppercase<Method>} /${string}`;

/** The validated request, as a handler gets it. */
interface Input<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
  clientAddress: string;
  requestId: string;
  /** The body of an endpoint with `upload`, which the handler reads. */
  upload: UploadedBody;
}

export interface UploadedBody {
  /** The media type without parameters, in lower case. */
  readonly mediaType: string;
  readonly body: Readable;
}

interface Declaration<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> {
  summary: string;
  /** Parameters of the path, by default `idParams` for a path with `:id`. */
  params?: Params;
  query?: Query;
  body?: Body;
  /** True if a body may have up to 4 MB instead of 100 KB (contract §2). */
  largeBody?: boolean;
  /** Media types of a body that the handler reads itself (contract §8). */
  upload?: readonly string[];
  /** Example body for the documentation. */
  example?: z.input<Body>;
  /** Status of a success, by default 200, or 204 without `response`. */
  status?: 201 | 202;
  /** Schema of the response. Fields that the schema does not define are removed. */
  response?: Result;
  /** Error statuses of this endpoint's rules. Other options imply further statuses (`listErrorStatuses`). */
  errorStatuses?: readonly number[];
  /** True if `If-Match: "<version>"` is accepted. A change of a row with another version is then refused (412). */
  ifMatch?: boolean;
  /** Media type of a text response, by default JSON. */
  contentType?: 'text/csv' | 'text/javascript';
  /** True if the response carries a secret, so that no cache may store it. */
  noStore?: boolean;
  /** Time budget for the database, ms, by default `CALL_BUDGET_MS`. */
  databaseMs?: number;
}

const noFields = z.object({});
const noContent = z.void();

type DefaultParams<Path extends Operation> = z.ZodType<
  Path extends `${string}/:id` | `${string}/:id/${string}` ? z.output<typeof idParams> : z.output<typeof noFields>
>;

function addDefaults(
  operation: Operation,
  { params, status, response, errorStatuses = [], ...declaration }: Declaration,
) {
  const [method = '', path = ''] = operation.split(' ');
  return {
    ...declaration,
    method: method.toLowerCase() as Method,
    path,
    params: params ?? (path.split('/').includes(':id') ? idParams : undefined),
    status: status ?? (response ? 200 : 204),
    response: response ?? noContent,
    errorStatuses,
  };
}
type CompleteDeclaration = ReturnType<typeof addDefaults>;

interface UntaggedEndpoint extends CompleteDeclaration {
  /** Required access; null for an endpoint without authentication. */
  readonly access: Access | null;
  handle(request: Request, response: Response, accessControl: AccessControl): Promise<void>;
}

export interface Endpoint extends UntaggedEndpoint {
  /** The section of the documentation. */
  readonly tag: string;
}

/** Puts endpoints into one section of the documentation. */
export const withTag = (tag: string, endpoints: readonly UntaggedEndpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => ({ ...endpoint, tag }));

function parseInput<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  { params = noFields, query = noFields, body = noFields }: CompleteDeclaration,
  request: Request,
  response: Response,
): Input<Params, Query, Body> {
  const { clientAddress, requestId } = response.locals;
  // `CompleteDeclaration` has lost the types of the schemas. The caller passes them as type arguments.
  return {
    params: parseParams(params, request.params),
    query: parseQuery(query, request.query),
    body: parseBody(body, request.body),
    clientAddress,
    requestId,
    upload: { mediaType: parseMediaType(request), body: request },
  } as Input<Params, Query, Body>;
}

const parseMediaType = (request: Request): string =>
  (request.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Refuses an encoded body, or a type outside of `upload`, before the body is read. @throws RuleError wrongType */
function requireUploadType({ upload }: Pick<Endpoint, 'upload'>, request: Request): void {
  if (!upload) return;
  const encoding = (request.get('content-encoding') ?? 'identity').trim().toLowerCase();
  const isAccepted = upload.includes('*/*') || upload.includes(parseMediaType(request));
  if (encoding !== 'identity' || !isAccepted)
    throw new RuleError('wrongType', httpMessages.wrongUpload(upload.join(', ')));
}

function sendResult(declaration: CompleteDeclaration, response: Response, result: unknown) {
  if (declaration.noStore) response.set('Cache-Control', 'no-store');
  // An endpoint with an optional response may return nothing.
  const status = result === undefined ? 204 : declaration.status;
  response.status(status);
  if (status === 204) {
    response.end();
    return;
  }
  const parsed = declaration.response.parse(result);
  if (declaration.contentType) response.type(declaration.contentType).send(parsed);
  else response.json(parsed);
}

/** Creates the context of a change, which checks the caller's rights again in the transaction of the change. */
function createContext(
  principal: Principal,
  call: Pick<ChangeContext, 'requestId' | 'address' | 'expectedVersion'>,
  access: Access,
  authenticate: (manager: EntityManager) => Promise<Principal>,
): ChangeContext {
  return {
    ...call,
    actor: principal.username,
    projects: principal.projects,
    token: principal.token && { _id: principal.token._id, name: principal.token.name },
    checkRights: (manager) =>
      catchRuleError(async () => {
        const currentPrincipal = await authenticate(manager);
        authorize(currentPrincipal, access, call.address);
        refuseFewerRights(principal, currentPrincipal, access);
      }),
  };
}

/**
 * Declares an endpoint. Validation, the types of the handler, the OpenAPI document and the allowed methods follow from
 * the declaration.
 */
export function endpoint<
  Path extends Operation,
  Params extends z.ZodType = DefaultParams<Path>,
  Query extends z.ZodType = typeof noFields,
  Body extends z.ZodType = typeof noFields,
  Result extends z.ZodType = typeof noContent,
>(
  operation: Path,
  declaration: Declaration<Params, Query, Body, Result> & {
    access: Access;
    /** Handles a call. A list of any length is returned as `ListPages`, whose rows match the items of `response`. */
    run(
      input: Input<Params, Query, Body> & { principal: Principal; context: ChangeContext },
    ): Promise<z.input<Result> | ListPages>;
  },
): UntaggedEndpoint {
  const { access, databaseMs } = declaration;
  const completeDeclaration = addDefaults(operation, declaration);
  return {
    ...completeDeclaration,
    access,
    async handle(request, response, accessControl) {
      const admitCaller = () => admit(request, response, access, accessControl);
      // With a longer budget, the admission still detects a database outage within the usual time.
      const admitted = databaseMs === undefined ? undefined : await withTimeBudget(CALL_BUDGET_MS, admitCaller);
      const result = await withTimeBudget(databaseMs ?? CALL_BUDGET_MS, async () => {
        const principal = admitted ?? (await admitCaller());
        requireUploadType(declaration, request);
        const input = parseInput<Params, Query, Body>(completeDeclaration, request, response);
        const { requestId, clientAddress: address } = input;
        const expectedVersion = declaration.ifMatch ? parseIfMatch(request.get('if-match')) : undefined;
        const authenticate = (manager: EntityManager) => accessControl.authenticate(request, manager);
        const context = createContext(principal, { requestId, address, expectedVersion }, access, authenticate);
        // A read is skipped if its caller has disconnected. Otherwise reads of repeated calls would pile up.
        if (completeDeclaration.method === 'get' && response.destroyed) return undefined;
        return declaration.run({ ...input, principal, context });
      });
      if (result instanceof ListPages) await sendList(response, result, completeDeclaration.response, CALL_BUDGET_MS);
      else sendResult(completeDeclaration, response, result);
    },
  };
}

/** Declares an endpoint without authentication. */
export function publicEndpoint<
  Path extends Operation,
  Params extends z.ZodType = DefaultParams<Path>,
  Query extends z.ZodType = typeof noFields,
  Body extends z.ZodType = typeof noFields,
  Result extends z.ZodType = typeof noContent,
>(
  operation: Path,
  declaration: Declaration<Params, Query, Body, Result> & {
    run(input: Input<Params, Query, Body>): Promise<z.input<Result>>;
  },
): UntaggedEndpoint {
  const completeDeclaration = addDefaults(operation, declaration);
  return {
    ...completeDeclaration,
    access: null,
    handle: (request, response) =>
      withTimeBudget(declaration.databaseMs ?? CALL_BUDGET_MS, async () => {
        requireUploadType(declaration, request);
        const input = parseInput<Params, Query, Body>(completeDeclaration, request, response);
        sendResult(completeDeclaration, response, await declaration.run(input));
      }),
  };
}
