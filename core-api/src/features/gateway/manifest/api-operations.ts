import { manifestMessages as messages } from './manifest.messages';

/** One operation of an OpenAPI or Swagger document, or an invalid entry with the reason in `fault`. */
export interface ApiOperation {
  /** Method as in the document; absent if the path item could not be read. */
  method?: string;
  path: string;
  /** Path item and operation, with references resolved. */
  item: Record<string, unknown>;
  value: Record<string, unknown>;
  fault?: string;
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

/** Resolves a JSON pointer of the document (`#/components/pathItems/x`). */
function resolvePointer(document: unknown, reference: string): unknown {
  let value: unknown = document;
  for (const escaped of reference.slice(2).split('/')) {
    const key = decodePointer(escaped).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function decodePointer(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Resolves an object's `$ref`; fields beside it take precedence. Returns the reason if it cannot be resolved. */
function resolveReferences(document: unknown, value: unknown): Record<string, unknown> | string {
  let current = value;
  let ownFields: Record<string, unknown> = {};
  for (let hops = 0; hops < MAX_REFERENCES; hops += 1) {
    if (!isObject(current)) return messages.unreadable;
    const { $ref: reference, ...fields } = current;
    ownFields = { ...fields, ...ownFields };
    if (typeof reference !== 'string') return ownFields;
    if (!reference.startsWith('#/')) return messages.outsideReference(reference);
    current = resolvePointer(document, reference);
    if (current === undefined) return messages.brokenReference(reference);
  }
  return messages.brokenReference(isObject(current) ? String(current.$ref) : '');
}

/** The operations of `paths`, in the document's order, without extensions (`x-…`). */
export function* apiOperations(document: unknown, paths: Record<string, unknown>): Generator<ApiOperation> {
  for (const [path, pathItem] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    const item = resolveReferences(document, pathItem);
    if (typeof item === 'string') {
      yield { path, item: {}, value: {}, fault: item };
      continue;
    }
    const additional = isObject(item.additionalOperations) ? item.additionalOperations : {};
    for (const [method, operation] of [...Object.entries(item), ...Object.entries(additional)]) {
      if (NON_OPERATION_FIELDS.has(method) || method.startsWith('x-')) continue;
      const value = resolveReferences(document, operation);
      if (typeof value === 'string') yield { method, path, item, value: {}, fault: value };
      else yield { method, path, item, value };
    }
  }
}
