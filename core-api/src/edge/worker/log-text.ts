import { flat } from '../http1/flat';

/** Text that needs no escaping in JSON. */
const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/;
const BEYOND_ASCII = /[\x7f-\uffff]/g;
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** A JSON string in ASCII. */
export const quoted = (text: string): string =>
  PLAIN.test(text) ? `"${text}"` : JSON.stringify(text).replace(BEYOND_ASCII, escaped);

/**
 * Who asks whom, from behind the request's id up to its method: the part of a line that a connection's requests mostly
 * have in common. A text of one piece.
 */
export const callerText = (clientIp: string, host: string): string =>
  flat(`","clientIp":${quoted(clientIp)},"host":${quoted(host)},"method":"`);
