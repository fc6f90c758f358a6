/** Properties that identify an error and contain no value of a request. */
const SAFE_PROPERTIES = ['code', 'errno', 'syscall', 'address', 'port', 'status'] as const;
/** Maximum depth of nested errors in `cause` and `errors`. */
const MAX_DEPTH = 4;

interface SerializedError {
  type: string;
  message: string;
  stack: string;
  cause?: SerializedError;
  errors?: SerializedError[];
  [name: string]: unknown;
}

const readProperty = (value: object, name: string): unknown => (name in value ? Reflect.get(value, name) : undefined);

function readSafeProperties(error: Error): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const name of SAFE_PROPERTIES) {
    const value = readProperty(error, name);
    if (typeof value === 'string' || typeof value === 'number') properties[name] = value;
  }
  return properties;
}

/**
 * Returns an error for the log, and other values unchanged. Only `SAFE_PROPERTIES` are included, because errors of
 * parsers and of GraphQL contain personal data and secrets in `body`, `extensions`, `nodes` and `source`.
 */
export function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  return serialize(error, depth);
}

function serialize(error: Error, depth: number): SerializedError {
  const safeProperties = readSafeProperties(error);
  const { message } = error;
  const type = error.constructor.name || error.name;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  const { cause } = error;
  const errors = readProperty(error, 'errors');
  return {
    type,
    message,
    ...safeProperties,
    stack: [`${type}: ${message}`, ...frames].join('\n'),
    ...(cause instanceof Error && depth < MAX_DEPTH && { cause: serialize(cause, depth + 1) }),
    ...(Array.isArray(errors) &&
      depth < MAX_DEPTH && {
        errors: errors.filter((nested) => nested instanceof Error).map((nested) => serialize(nested, depth + 1)),
      }),
  };
}
