import { flat } from '../http1/flat';

/** Text that needs no escaping in JSON. */
const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/;
const BEYOND_ASCII = /[\x7f-\uffff]/g;
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** As long as a plain text can be, by the limit of a request's head: a line must fit into one write. */
const MAX_QUOTED = 16 * 1024;
/** The longest that JSON makes of one character. */
const LONGEST_ESCAPE = '\\u0000'.length;

/** A JSON string in ASCII. Of a long text that needs many escapes, which nothing but an attack sends, it is the beginning. */
export function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  const json = JSON.stringify(text).replace(BEYOND_ASCII, escaped);
  return json.length > MAX_QUOTED ? quoted(text.slice(0, MAX_QUOTED / LONGEST_ESCAPE - 1)) : json;
}

/**
 * Who asks whom, from behind the request's id up to its method: the part of a line that a connection's requests mostly
 * have in common. A text of one piece.
 */
export const callerText = (clientIp: string, host: string): string =>
  flat(`","clientIp":${quoted(clientIp)},"host":${quoted(host)},"method":"`);
