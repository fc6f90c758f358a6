import { listen } from './server';

/** A span in OTLP's JSON form, with its service and its encoding. */
interface CollectedSpan {
  service: string;
  /** Media type of the message that carried the span. */
  contentType: string;
  name: string;
  /** `SpanKind` of OTLP: 2 is server, 3 is client. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, unknown>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Batch {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<CollectedSpan, 'service' | 'contentType' | 'attributes'> & { attributes: Attribute[] })[];
    }[];
  }[];
}

const readAttributes = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

type Field = Buffer | number;

/** Reads the fields of a protobuf message by number. A length-delimited field is a buffer, any other field a number. */
function readFields(message: Buffer) {
  const fields = new Map<number, Field[]>();
  let offset = 0;
  const readVarint = () => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(offset++);
      value += (byte % 128) * factor; // Shifts are limited to 32 bits.
      if (byte < 128) return value;
    }
  };
  const readBytes = (length: number) => {
    offset += length;
    return message.subarray(offset - length, offset);
  };
  const readersByWireType: Record<number, () => Field> = {
    0: readVarint,
    1: () => readBytes(8).readDoubleLE(),
    2: () => readBytes(readVarint()),
    5: () => readBytes(4).readUInt32LE(),
  };
  while (offset < message.length) {
    const tag = readVarint();
    const value = readersByWireType[tag % 8]?.();
    if (value === undefined) throw new Error(`not protobuf: wire type ${tag % 8}`);
    const number = Math.floor(tag / 8);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  const listBytes = (number: number) => (fields.get(number) ?? []).filter((value) => typeof value !== 'number');
  const getFirstBytes = (number: number) => listBytes(number).at(0) ?? Buffer.alloc(0);
  return { listBytes, getFirstBytes, getFirst: (number: number) => fields.get(number)?.at(0) };
}

/** Reads a batch of spans. The field numbers are those of OpenTelemetry's `trace.proto` and of its imports. */
function readProtobuf(message: Buffer): Batch {
  const readAttribute = (bytes: Buffer): Attribute => {
    const keyValue = readFields(bytes);
    const anyValue = readFields(keyValue.getFirstBytes(2));
    const first = anyValue.getFirst(1) ?? anyValue.getFirst(2) ?? anyValue.getFirst(3) ?? anyValue.getFirst(4);
    const value = typeof first === 'object' ? first.toString() : first;
    return { key: keyValue.getFirstBytes(1).toString(), value: { anyValue: value } };
  };
  return {
    resourceSpans: readFields(message)
      .listBytes(1)
      .map(readFields)
      .map((group) => ({
        resource: { attributes: readFields(group.getFirstBytes(1)).listBytes(1).map(readAttribute) },
        scopeSpans: group.listBytes(2).map((scope) => ({
          spans: readFields(scope)
            .listBytes(2)
            .map(readFields)
            .map((span) => ({
              traceId: span.getFirstBytes(1).toString('hex'),
              spanId: span.getFirstBytes(2).toString('hex'),
              parentSpanId: span.getFirstBytes(4).toString('hex'),
              name: span.getFirstBytes(5).toString(),
              kind: Number(span.getFirst(6)),
              attributes: span.listBytes(9).map(readAttribute),
            })),
        })),
      })),
  };
}

/** Receives traces over OTLP/HTTP, as protobuf or JSON, on a free loopback port. */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const server = await listen(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    if (request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    const contentType = request.headers['content-type'] ?? '';
    const bytes = Buffer.concat(pieces);
    const batch =
      contentType === 'application/x-protobuf' ? readProtobuf(bytes) : (JSON.parse(bytes.toString()) as Batch);
    for (const { resource, scopeSpans } of batch.resourceSpans) {
      const service = String(readAttributes(resource.attributes)['service.name']);
      for (const { attributes, ...span } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ service, contentType, ...span, attributes: readAttributes(attributes) });
    }
    // In both encodings, an empty message confirms all spans.
    response.writeHead(200, { 'Content-Type': contentType }).end(contentType === 'application/json' ? '{}' : '');
  });
  return { ...server, spans };
}
