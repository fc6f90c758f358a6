import { formatPattern, parsePattern } from '../../../routing/routes/route-pattern';
import { manifestMessages as messages } from './manifest.messages';

/** The pattern of a route, or the reason why a path is not a pattern. */
export type PatternOrReason = { pattern: string } | { reason: string };

const MAX_LENGTH = 1024;
const PARAMETER = /^\{([^{}]*)\}$/;
/** Characters that browsers percent-encode in a path, because RFC 3986 does not allow them as they are. */
const ILLEGAL = /[ "<>`]/g;

/** Converts a name to one that patterns allow: `pet-id` becomes `pet_id`, or `pet_id_2` if the path has `pet_id`. */
function createUniqueName(rawName: string, takenNames: Set<string>): string {
  const name = rawName.replace(/\W/g, '_').replace(/^(?=\d)/, '_') || 'param';
  let uniqueName = name;
  for (let count = 2; takenNames.has(uniqueName); count += 1) uniqueName = `${name}_${count}`;
  takenNames.add(uniqueName);
  return uniqueName;
}

/**
 * Converts a path with `{name}` (OpenAPI) or `:name` (own manifest) parameters to a pattern.
 * @param prefix valid path that precedes the path in the route's origin; the origin may thus become too long
 */
export function toPattern(template: string, prefix: string): PatternOrReason {
  if (template.includes('#')) return { reason: messages.fragment };
  if (template.includes('?')) return { reason: messages.query };
  const segments = template.split('/');
  const mixedSegment = segments.find((segment) => /[{}]/.test(segment) && !PARAMETER.test(segment));
  if (mixedSegment !== undefined) return { reason: messages.partial(mixedSegment) };
  const takenNames = new Set(segments.filter((segment) => segment.startsWith(':')).map((segment) => segment.slice(1)));
  const patternSegments = segments.map((segment) => {
    const name = PARAMETER.exec(segment)?.[1];
    return name === undefined ? segment.replace(ILLEGAL, encodeURIComponent) : `:${createUniqueName(name, takenNames)}`;
  });
  const path = patternSegments.join('/');
  if (path.includes('//')) return { reason: messages.doubleSlash };
  const pattern = parsePattern(path);
  if (!pattern) return { reason: path.length > MAX_LENGTH ? messages.pathLong : messages.pathRefused };
  return parsePattern(prefix + formatPattern(pattern))
    ? { pattern: formatPattern(pattern) }
    : { reason: messages.pathLong };
}
