/** Properties that identify an error and contain no value of a request. */
const NAMING = ['code', 'errno', 'syscall', 'address', 'port', 'status'] as const;
/** Depth of `cause` and `errors`. */
const MAX_DEPTH = 4;

interface SerializedError {
  type: string;
  message: string;
  stack: string;
  cause?: SerializedError;
  errors?: SerializedError[];
  [name: string]: unknown;
}

const property = (value: object, name: string): unknown => (name in value ? Reflect.get(value, name) : undefined);

function namingOf(error: Error): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of NAMING) {
    const value = property(error, name);
    if (typeof value === 'string' || typeof value === 'number') found[name] = value;
  }
  return found;
}

/**
 * An error for the log. Only listed properties are included, because errors of parsers and of GraphQL contain personal data
 * and secrets in `body`, `extensions`, `nodes` and `source`.
 */
export function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  return serialize(error, depth);
}

function serialize(error: Error, depth: number): SerializedError {
  const naming = namingOf(error);
  const { message } = error;
  const type = error.constructor.name || error.name;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  const { cause } = error;
  const errors = property(error, 'errors');
  return {
    type,
    message,
    ...naming,
    stack: [`${type}: ${message}`, ...frames].join('\n'),
    ...(cause instanceof Error && depth < MAX_DEPTH && { cause: serialize(cause, depth + 1) }),
    ...(Array.isArray(errors) &&
      depth < MAX_DEPTH && {
        errors: errors.filter((each) => each instanceof Error).map((each) => serialize(each, depth + 1)),
      }),
  };
}
