/** Properties that identify an error and contain no value of a request. */
const SAFE_PROPERTIES = ['code', 'errno', 'syscall', 'address', 'port', 'status'] as const;
/** Maximum nesting of `cause` and `errors`. */
const MAX_DEPTH = 4;

interface SerializedError {
  type: string;
  message: string;
  stack: string;
  cause?: SerializedError;
  errors?: SerializedError[];
  [name: string]: unknown;
}

const getProperty = (value: object, name: string): unknown => (name in value ? Reflect.get(value, name) : undefined);

function pickSafeProperties(error: Error): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const name of SAFE_PROPERTIES) {
    const value = getProperty(error, name);
    if (typeof value === 'string' || typeof value === 'number') properties[name] = value;
  }
  return properties;
}

/**
 * Converts an error for the log: type, message, stack and `SAFE_PROPERTIES`. Other properties of parser and GraphQL
 * errors (`body`, `extensions`, `nodes`, `source`) contain personal data and secrets.
 */
export const serializeError = (error: unknown): unknown => (error instanceof Error ? serialize(error, 0) : error);

function serialize(error: Error, depth: number): SerializedError {
  const safeProperties = pickSafeProperties(error);
  const { message } = error;
  const type = error.constructor.name || error.name;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  const { cause } = error;
  const errors = getProperty(error, 'errors');
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
