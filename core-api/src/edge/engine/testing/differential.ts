import { defaultLimits } from '../limits';
import { parseFields, unforwardedInResponses } from '../message/header-fields';
import { RequestBody } from '../message/request-body';
import { RequestReader } from '../message/request-reader';
import type { ResponseHead } from '../message/response-head';
import { ResponseReader } from '../message/response-reader';
import { createRandom, Messages } from './messages';
import { type ReadMessage, readWithNode } from './node-parser';

interface ReadRequests {
  messages: ReadMessage[];
  /** True if the last request was an upgrade, so that the bytes after it are not HTTP. */
  endsWithUpgrade: boolean;
}

/** Reads the requests of a connection with the engine's readers, in the same way as `ClientConnection`. */
function readRequests(segments: readonly Buffer[]): ReadRequests {
  const reader = new RequestReader(defaultLimits, (fields) => fields);
  const messages: ReadMessage[] = [];
  let input: Buffer = Buffer.alloc(0);
  let body: RequestBody | undefined;
  let closesConnection = false;
  for (const segment of segments) {
    input = Buffer.concat([input, segment]);
    while (input.length > 0) {
      const lastMessage = messages.at(-1);
      if (body && lastMessage) {
        const end = body.read(input);
        if (end === 'bad') return { messages, endsWithUpgrade: false };
        lastMessage.body += body.content?.toString('latin1') ?? '';
        input = input.subarray(end);
        if (!body.isEnded) continue;
        lastMessage.isComplete = true;
        body = undefined;
        if (closesConnection) return { messages, endsWithUpgrade: false };
        continue;
      }
      const read = reader.read(input);
      if (read.kind === 'partial' || read.kind === 'nothing') break;
      if (read.kind !== 'head') return { messages, endsWithUpgrade: false };
      const { method, target, minorVersion } = read.line;
      const fields = read.block.fields.map(({ name, value }): [string, string] => [name, value]);
      const isEnded = read.block.bodyLength === 0;
      messages.push({ method, target, minor: minorVersion, status: 0, fields, body: '', isComplete: isEnded });
      if (!isEnded) body = new RequestBody(read.block.bodyLength);
      input = input.subarray(read.end);
      if (fields.some(([name]) => name === 'upgrade')) return { messages, endsWithUpgrade: true };
      closesConnection = read.block.closesConnection;
      if (closesConnection && isEnded) return { messages, endsWithUpgrade: false };
    }
  }
  return { messages, endsWithUpgrade: false };
}

const hasSameFields = (a: ReadMessage, b: ReadMessage, isAbsolute: boolean): boolean =>
  a.fields.length === b.fields.length &&
  a.fields.every(([name, value], index) => {
    const [otherName, otherValue] = b.fields[index] ?? [];
    return name === otherName && (value === otherValue || (isAbsolute && name === 'host'));
  });

/**
 * Compares the requests that the engine has read with the messages that Node has read.
 * @returns the first difference, or undefined if Node reads the accepted requests in the same way
 */
function findRequestDifference(
  { messages, endsWithUpgrade }: ReadRequests,
  nodeMessages: readonly ReadMessage[],
): string | undefined {
  for (const [index, message] of messages.entries()) {
    const nodeMessage = nodeMessages[index];
    if (!nodeMessage) return `request ${index}: Node read none`;
    const isAbsolute = !nodeMessage.target.startsWith('/') && nodeMessage.target !== '*';
    // Node keeps scheme and authority of an absolute-form target. The engine removes both, and adds a missing slash.
    const isSameTarget = isAbsolute
      ? nodeMessage.target.endsWith(message.target === '/' ? '' : message.target.replace(/^\/\?/, '?'))
      : nodeMessage.target === message.target;
    const isSameMethod = nodeMessage.method === '' || message.method === nodeMessage.method;
    if (!isSameMethod || message.minor !== nodeMessage.minor || !isSameTarget) return `request ${index}: line`;
    if (!hasSameFields(message, nodeMessage, isAbsolute)) return `request ${index}: fields`;
    if (endsWithUpgrade && index === messages.length - 1) return undefined;
    if (message.isComplete && (!nodeMessage.isComplete || message.body !== nodeMessage.body))
      return `request ${index}: body`;
    if (!message.isComplete && !nodeMessage.body.startsWith(message.body))
      return `request ${index}: beginning of the body`;
  }
  return undefined;
}

interface ReadResponse {
  head: ResponseHead | undefined;
  body: string;
  isComplete: boolean;
}

/**
 * Reads one response with the engine's reader. If `endsConnection` is true, the connection ends after the last segment.
 */
function readResponse(segments: readonly Buffer[], isHeadRequest: boolean, endsConnection: boolean): ReadResponse {
  const read: ReadResponse = { head: undefined, body: '', isComplete: false };
  let isBroken = false;
  const reader = new ResponseReader(defaultLimits.upstreamHeadBytes, {
    onWholeResponse(head, body) {
      Object.assign(read, { head, body, isComplete: true });
    },
    onHeaders(head) {
      read.head = head;
    },
    onData(bytes) {
      read.body += bytes.toString('latin1');
    },
    onReadEnd: () => undefined,
    onComplete(_head, bytes) {
      read.body += bytes?.toString('latin1') ?? '';
      read.isComplete = true;
    },
    onUpgrade: () => undefined,
    onMalformed() {
      isBroken = true;
    },
  });
  reader.begin({ isHeadRequest, isWebSocketUpgrade: false, rewriteHeader: undefined });
  for (const segment of segments) {
    if (isBroken || read.isComplete) break;
    reader.read(segment);
  }
  if (endsConnection && !isBroken && reader.endsWithConnection) read.isComplete = true;
  return read;
}

function findResponseDifference(response: ReadResponse, nodeMessages: readonly ReadMessage[]): string | undefined {
  if (!response.head) return undefined;
  const nodeMessage = nodeMessages.find(({ status }) => status >= 200);
  // A 204 or 304 has no body, so the engine ignores framing fields that Node rejects.
  if (!nodeMessage)
    return response.head.status === 204 || response.head.status === 304 ? undefined : 'Node read no response';
  if (response.head.status !== nodeMessage.status) return 'status';
  const lines = parseFields(
    response.head.headerLines.slice(response.head.headerLines.indexOf('\r\n') + 2),
    unforwardedInResponses,
  );
  let offset = 0;
  for (const { name, value } of lines ?? []) {
    while (
      offset < nodeMessage.fields.length &&
      (nodeMessage.fields[offset]?.[0] !== name || nodeMessage.fields[offset]?.[1] !== value)
    )
      offset += 1;
    if (offset === nodeMessage.fields.length) return `field ${name}`;
    offset += 1;
  }
  if (response.isComplete && (!nodeMessage.isComplete || response.body !== nodeMessage.body)) return 'body';
  return nodeMessage.body.startsWith(response.body) ? undefined : 'beginning of the body';
}

interface Difference {
  description: string;
  bytes: string;
}

/**
 * Reads generated messages with the engine's readers and with Node's. If the engine accepts a message, Node must read
 * the same content.
 * @returns the first differences, and the number of accepted messages
 */
export function compareReaders(kind: 'request' | 'response', caseCount: number, seed: number) {
  const random = createRandom(seed);
  const messages = new Messages(random);
  const differences: Difference[] = [];
  let acceptedCount = 0;
  for (let turn = 0; turn < caseCount && differences.length < 10; turn += 1) {
    let difference: string | undefined;
    let bytes: Buffer;
    if (kind === 'request') {
      bytes = messages.mutate(messages.createRequests());
      const engineRead = readRequests(messages.splitIntoSegments(bytes));
      acceptedCount += engineRead.messages.some(({ isComplete }) => isComplete) ? 1 : 0;
      difference = findRequestDifference(engineRead, readWithNode('request', bytes));
    } else {
      bytes = messages.mutate(messages.createResponse());
      const [isHeadRequest, endsConnection] = [random(8) === 0, random(2) === 0];
      const engineRead = readResponse(messages.splitIntoSegments(bytes), isHeadRequest, endsConnection);
      acceptedCount += engineRead.isComplete ? 1 : 0;
      difference = findResponseDifference(engineRead, readWithNode('response', bytes, isHeadRequest, endsConnection));
    }
    if (difference !== undefined) differences.push({ description: difference, bytes: bytes.toString('latin1') });
  }
  return { acceptedCount, differences };
}
