import { createRequire } from 'node:module';

/** Node's own parser (llhttp), as `node:http` uses it. */
interface Parser {
  initialize(type: number, resource: object, maxHeaderSize: number, lenientFlags: number): void;
  execute(bytes: Buffer): number | Error;
  finish(): unknown;
  free(): void;
  [callback: number]: unknown;
}
interface NodeHttpCommon {
  HTTPParser: {
    new (): Parser;
    REQUEST: 1;
    RESPONSE: 2;
    kOnHeaders: number;
    kOnHeadersComplete: number;
    kOnBody: number;
    kOnMessageComplete: number;
  };
  methods: string[];
}
const { HTTPParser, methods }: NodeHttpCommon = createRequire(__filename)('_http_common');

/** A parsed message. */
export interface ReadMessage {
  /** Method of a request; '' for a response and for a method whose name Node does not report. */
  method: string;
  target: string;
  minor: number;
  /** Status of a response; 0 for a request. */
  status: number;
  /** Names in lower case. */
  fields: [string, string][];
  body: string;
  isComplete: boolean;
}

const toPairs = (namesAndValues: readonly string[]): [string, string][] =>
  namesAndValues.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), namesAndValues[index + 1] ?? ''] satisfies [string, string]] : [],
  );

/**
 * Reads messages with Node's parser.
 * @param isHeadRequest true if the response answers a HEAD request
 * @param endsConnection true if the connection ends after `bytes`
 * @returns all messages up to the first error
 */
export function readWithNode(
  kind: 'request' | 'response',
  bytes: Buffer,
  isHeadRequest = false,
  endsConnection = false,
): ReadMessage[] {
  const messages: ReadMessage[] = [];
  const parser = new HTTPParser();
  let partialFields: string[] = [];
  let partialTarget = '';
  parser.initialize(kind === 'request' ? HTTPParser.REQUEST : HTTPParser.RESPONSE, {}, 64 * 1024, 0);
  parser[HTTPParser.kOnHeaders] = (namesAndValues: string[], target: string) => {
    // llhttp passes more than 32 fields, and trailers, in parts.
    partialFields = [...partialFields, ...namesAndValues];
    partialTarget += target;
  };
  parser[HTTPParser.kOnHeadersComplete] = (
    _major: number,
    minor: number,
    namesAndValues: string[] | undefined,
    method: number | undefined,
    target: string | undefined,
    status: number | undefined,
  ) => {
    const fields = toPairs(namesAndValues ?? partialFields);
    const methodName = kind === 'request' ? (methods[method ?? -1] ?? '') : '';
    messages.push({
      method: methodName,
      target: target ?? partialTarget,
      minor,
      status: status ?? 0,
      fields,
      body: '',
      isComplete: false,
    });
    partialFields = [];
    partialTarget = '';
    return isHeadRequest && (status ?? 0) >= 200 ? 1 : 0; // With 1, the parser expects no body.
  };
  parser[HTTPParser.kOnBody] = (piece: Buffer) => {
    const lastMessage = messages.at(-1);
    if (lastMessage) lastMessage.body += piece.toString('latin1');
  };
  parser[HTTPParser.kOnMessageComplete] = () => {
    const lastMessage = messages.at(-1);
    if (lastMessage) lastMessage.isComplete = true;
    partialFields = [];
    partialTarget = '';
  };
  const result = parser.execute(bytes);
  if (endsConnection && typeof result === 'number') parser.finish();
  parser.free();
  return messages;
}
