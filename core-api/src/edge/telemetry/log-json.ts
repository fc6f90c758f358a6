import { toFlatCopy } from '../engine/message/flat-copy';

/** Text that needs no escaping in JSON. */
const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/;
const BEYOND_PRINTABLE = /[\x7f-\uffff]/g;
const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** Maximum length of a JSON string. A log line must fit into one atomic write. */
const MAX_QUOTED_LENGTH = 16 * 1024;
/** The longest escape of one character. */
const LONGEST_ESCAPE = '\\u0000'.length;

/** Formats a JSON string in ASCII. A long text with many escapes, which only an attack sends, is truncated. */
export function quoteAscii(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  const json = JSON.stringify(text).replace(BEYOND_PRINTABLE, escapeUnit);
  return json.length > MAX_QUOTED_LENGTH ? quoteAscii(text.slice(0, MAX_QUOTED_LENGTH / LONGEST_ESCAPE - 1)) : json;
}

/**
 * Formats client address and host, which are the fields between request id and method. Requests of one connection share
 * this part of a log line, so it is cached as a flat string.
 */
export const formatClientFields = (clientIp: string, host: string): string =>
  toFlatCopy(`","clientIp":${quoteAscii(clientIp)},"host":${quoteAscii(host)},"method":"`);
