/** Properties that identify an error and contain no value of a request. */
const IDENTIFYING_PROPERTIES = [
  'code',
  'errno',
  'syscall',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
] as const;
/** Maximum nesting of `cause` and `errors`. */
const MAX_DEPTH = 4;
/** Matches the codes of PostgreSQL's data exceptions, whose messages quote a value. */
const DATA_EXCEPTION = /^22/;

interface SerializedError {
  type: string;
  message: string;
  stack: string;
  cause?: SerializedError;
  errors?: SerializedError[];
  [name: string]: unknown;
}

const getProperty = (value: object, name: string): unknown => (name in value ? Reflect.get(value, name) : undefined);

/** Reads the error and its `driverError`, because TypeORM copies only some properties of a driver's error. */
function pickIdentifyingProperties(error: Error): Record<string, unknown> {
  const driver = getProperty(error, 'driverError');
  const properties: Record<string, unknown> = {};
  for (const name of IDENTIFYING_PROPERTIES) {
    const value = getProperty(error, name) ?? (driver instanceof Error ? getProperty(driver, name) : undefined);
    if (typeof value === 'string' || typeof value === 'number') properties[name] = value;
  }
  return properties;
}

/**
 * Converts an error for the log: type, message, stack and `IDENTIFYING_PROPERTIES`. Other properties of database and
 * parser errors (`parameters`, `query`, `detail`, `where`, `body`) contain personal data and secrets.
 */
export const serializeError = (error: unknown): unknown => (error instanceof Error ? serialize(error, 0) : error);

function serialize(error: Error, depth: number): SerializedError {
  const identifyingProperties = pickIdentifyingProperties(error);
  const quotesValue = DATA_EXCEPTION.test(String(identifyingProperties.code ?? ''));
  const message = quotesValue ? error.message.replace(/"[\s\S]*"/, '"…"') : error.message;
  const type = error.constructor.name || error.name;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  const { cause } = error;
  const errors = getProperty(error, 'errors');
  return {
    type,
    message,
    ...identifyingProperties,
    stack: [`${type}: ${message}`, ...frames].join('\n'),
    ...(cause instanceof Error && depth < MAX_DEPTH && { cause: serialize(cause, depth + 1) }),
    ...(Array.isArray(errors) &&
      depth < MAX_DEPTH && {
        errors: errors.filter((each) => each instanceof Error).map((each) => serialize(each, depth + 1)),
      }),
  };
}
