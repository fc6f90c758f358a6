import { manifestMessages as messages } from './manifest.messages';

/** One operation of an OpenAPI or Swagger document, or an invalid entry with the reason in `violation`. */
export interface ApiOperation {
  /** Method as in the document; absent if the path item could not be read. */
  method?: string;
  path: string;
  /** The path item that contains the operation, with its references resolved. */
  pathItem: Record<string, unknown>;
  /** The operation, with its references resolved. */
  operation: Record<string, unknown>;
  violation?: string;
}

/** Fields of a path item that are not operations. */
const NON_OPERATION_FIELDS = new Set([
  '$ref',
  'summary',
  'description',
  'servers',
  'parameters',
  'additionalOperations',
]);
const MAX_REFERENCES = 10;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Resolves a JSON pointer of the document (`#/components/pathItems/x`). An invalid percent-encoding is kept. */
function resolvePointer(document: unknown, reference: string): unknown {
  let value: unknown = document;
  for (const escapedKey of reference.slice(2).split('/')) {
    const key = decodePercent(escapedKey).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Follows the chain of an object's `$ref`; fields beside it take precedence. A broken chain gives a message. */
function resolveReferences(document: unknown, value: unknown): Record<string, unknown> | string {
  let currentValue = value;
  let ownFields: Record<string, unknown> = {};
  for (let hops = 0; hops < MAX_REFERENCES; hops += 1) {
    if (!isObject(currentValue)) return messages.unreadable;
    const { $ref: reference, ...fields } = currentValue;
    ownFields = { ...fields, ...ownFields };
    if (typeof reference !== 'string') return ownFields;
    if (!reference.startsWith('#/')) return messages.outsideReference(reference);
    currentValue = resolvePointer(document, reference);
    if (currentValue === undefined) return messages.brokenReference(reference);
  }
  return messages.brokenReference(isObject(currentValue) ? String(currentValue.$ref) : '');
}

/** The operations of `paths`, in the document's order, without extensions (`x-…`). */
export function* listOperations(document: unknown, paths: Record<string, unknown>): Generator<ApiOperation> {
  for (const [path, pathValue] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    const pathItem = resolveReferences(document, pathValue);
    if (typeof pathItem === 'string') {
      yield { path, pathItem: {}, operation: {}, violation: pathItem };
      continue;
    }
    for (const [method, value] of listMethods(pathItem)) {
      const operation = resolveReferences(document, value);
      if (typeof operation === 'string') yield { method, path, pathItem, operation: {}, violation: operation };
      else yield { method, path, pathItem, operation };
    }
  }
}

function listMethods(pathItem: Record<string, unknown>): [string, unknown][] {
  const additionalMethods = isObject(pathItem.additionalOperations) ? pathItem.additionalOperations : {};
  return [...Object.entries(pathItem), ...Object.entries(additionalMethods)].filter(
    ([method]) => !NON_OPERATION_FIELDS.has(method) && !method.startsWith('x-'),
  );
}
