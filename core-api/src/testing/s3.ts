import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from './core';

export const S3_KEY = { accessKeyId: 'estudio', secretAccessKey: 'um segredo de teste' };
const BUCKET = 'copias';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns whether the request has a valid Signature Version 4 of `S3_KEY`, and its body has the signed hash. */
function isSigned(request: IncomingMessage, body: Buffer, url: URL): boolean {
  const match = /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
    request.headers.authorization ?? '',
  );
  if (!match) return false;
  const [, accessKeyId, day = '', region = '', names = '', signature] = match;
  const hash = String(request.headers['x-amz-content-sha256']);
  if (accessKeyId !== S3_KEY.accessKeyId || hash !== sha256(body)) return false;
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const headers = names.split(';').map((name) => `${name}:${request.headers[name]}\n`);
  const canonical = [request.method, url.pathname, query, headers.join(''), names, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${S3_KEY.secretAccessKey}`, day), region));
  return hmac(key, text).toString('hex') === signature;
}

/** Starts an S3 server with one bucket for backups. Unlike the package `s3rver`, it verifies Signature Version 4. */
export async function startS3() {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const partSizes: number[] = [];
  const heldResponses = new Set<{ isHeld: (method: string) => boolean; whenReleased: Promise<void> }>();
  let requestCount = 0;

  /** Delays the responses to the methods that `isHeld` selects. Returns a function that sends the delayed responses. */
  function holdResponses(isHeld: (method: string) => boolean): () => void {
    let finish = () => {};
    const entry = { isHeld, whenReleased: new Promise<void>((resolve) => (finish = resolve)) };
    heldResponses.add(entry);
    return () => {
      heldResponses.delete(entry);
      finish();
    };
  }

  function handle(request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer): void {
    const key = decodeURIComponent(url.pathname).slice(`/${BUCKET}/`.length);
    const id = url.searchParams.get('uploadId') ?? '';
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      uploads.set(key, new Map());
      response.end(`<InitiateMultipartUploadResult><UploadId>${key}</UploadId></InitiateMultipartUploadResult>`);
    } else if (request.method === 'PUT' && id) {
      uploads.get(id)?.set(Number(url.searchParams.get('partNumber')), body);
      partSizes.push(body.length);
      response.setHeader('ETag', `"${sha256(body)}"`).end();
    } else if (request.method === 'POST') {
      objects.set(key, Buffer.concat([...(uploads.get(id) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part)));
      uploads.delete(id);
      response.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
    } else if (request.method === 'GET') {
      const object = objects.get(key);
      if (object) response.end(object);
      else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    } else {
      objects.delete(key);
      response.writeHead(204).end();
    }
  }

  const server = await listen(async (request, response) => {
    requestCount += 1;
    const url = new URL(request.url ?? '', 'http://s3');
    const body = await readBody(request);
    for (const { isHeld, whenReleased } of heldResponses) if (isHeld(request.method ?? '')) await whenReleased;
    if (isSigned(request, body, url)) handle(request, response, url, body);
    else response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code><Message>refused</Message></Error>');
  });
  const bucket = { endpoint: server.url, bucket: BUCKET, region: 'us-east-1', forcePathStyle: true, ...S3_KEY };
  return { bucket, objects, partSizes, countRequests: () => requestCount, holdResponses, stop: server.stop };
}
