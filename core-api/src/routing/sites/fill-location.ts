/** Limit of the total length of the values in one target. A target may repeat a value. */
const MAX_FILLED = 16 * 1024;

/** Replaces the names in a redirect's target by values. @returns undefined beyond `MAX_FILLED` */
export function fillPlaceholders(
  to: string,
  values: Record<string, string>,
  encode: (value: string) => string,
): string | undefined {
  let length = 0;
  const filled = to.replaceAll(/:([A-Za-z]\w*)/g, (placeholder, name: string) => {
    // `Object.hasOwn` is necessary, because a name may equal an inherited property (`:constructor`).
    const value = Object.hasOwn(values, name) && length <= MAX_FILLED ? values[name] : undefined;
    if (value === undefined) return placeholder;
    const encoded = encode(value);
    length += encoded.length;
    return encoded;
  });
  return length > MAX_FILLED ? undefined : filled;
}

const encodeSegments = (value: string): string => value.split('/').filter(Boolean).map(encodeURIComponent).join('/');

/**
 * Fills a redirect's target with values of the request. Each segment is encoded, so no value leads to another site.
 * @returns undefined if the values are longer than `MAX_FILLED` in total
 */
export function fillLocation(to: string, values: Record<string, string>, query: string): string | undefined {
  const [, origin = '', path = to] = /^(https?:\/\/[^/?#]+)(.*)$/i.exec(to) ?? [];
  const filled = fillPlaceholders(path, values, encodeSegments);
  if (filled === undefined) return undefined;
  const ascii = filled.replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURI(text)).replace(/^\/{2,}/, '/');
  return origin + ascii + (ascii.includes('?') ? '' : query);
}
