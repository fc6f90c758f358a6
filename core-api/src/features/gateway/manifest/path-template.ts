import { formatPattern, parsePattern } from '../../../routing/route-pattern';
import { manifestMessages as messages } from './manifest.messages';

/** A pattern that a route accepts, or the reason why the path has none. */
export type PatternOrReason = { pattern: string } | { reason: string };

const MAX_LENGTH = 1024;
const PARAMETER = /^\{([^{}]*)\}$/;
/** Characters that browsers percent-encode in a path; RFC 3986 allows no other form. */
const ESCAPED = /[ "<>`]/g;

/** A parameter name that patterns allow, unique in its path: `pet-id` becomes `pet_id`, and a second one `pet_id_2`. */
function createUniqueName(rawName: string, takenNames: Set<string>): string {
  const name = rawName.replace(/\W/g, '_').replace(/^(?=\d)/, '_') || 'param';
  let unique = name;
  for (let count = 2; takenNames.has(unique); count += 1) unique = `${name}_${count}`;
  takenNames.add(unique);
  return unique;
}

/**
 * Converts a path with `{name}` (OpenAPI) or `:name` (own manifest) parameters to a pattern. `prefix` precedes it in
 * the route's origin; both together must be a valid pattern too.
 */
export function toPattern(template: string, prefix: string): PatternOrReason {
  if (template.includes('#')) return { reason: messages.fragment };
  if (template.includes('?')) return { reason: messages.query };
  const parts = template.split('/');
  const mixedPart = parts.find((part) => /[{}]/.test(part) && !PARAMETER.test(part));
  if (mixedPart !== undefined) return { reason: messages.partial(mixedPart) };
  const takenNames = new Set(parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1)));
  const converted = parts.map((part) => {
    const name = PARAMETER.exec(part)?.[1];
    return name === undefined ? part.replace(ESCAPED, encodeURIComponent) : `:${createUniqueName(name, takenNames)}`;
  });
  const path = converted.join('/');
  if (path.includes('//')) return { reason: messages.doubleSlash };
  const pattern = parsePattern(path);
  if (!pattern) return { reason: path.length > MAX_LENGTH ? messages.pathLong : messages.pathRefused };
  return parsePattern(prefix + formatPattern(pattern))
    ? { pattern: formatPattern(pattern) }
    : { reason: messages.pathLong };
}
