import type { LiveFragment } from '../../lib/graphql/generated/shared';
import type { SiteFile, SitePackage } from './sitePackage';
import { versionsMessages } from './versions.messages';

const { failure } = versionsMessages.publish;
const PARALLEL_UPLOADS = 4;

/** Progress of a publication in bytes. While the files are read, `sent` counts the bytes that were read. */
export interface PublishProgress {
  readonly phase: 'reading' | 'sending' | 'finishing';
  readonly sent: number;
  readonly total: number;
}

/** The response of an upload URL (contract §8). `missing` has the digests of the files that must still be sent. */
export interface PublishedVersion {
  readonly number: number;
  readonly state: 'receiving' | 'ready' | 'failed';
  readonly missing?: readonly string[];
  readonly warnings: readonly string[];
  readonly live: LiveFragment | null;
}

/** A failed upload, with a message and details for the user. */
export class UploadError extends Error {
  constructor(
    message: string,
    readonly note?: string,
  ) {
    super(message);
  }
}

interface UploadCall {
  method: 'POST' | 'PUT';
  url: string;
  type?: string;
  body?: Blob;
  signal: AbortSignal;
  onSent?: (bytes: number) => void;
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

function toUploadError(body: string): UploadError {
  try {
    const { error, details } = JSON.parse(body);
    return new UploadError(asText(error) ?? failure.create, asText(details));
  } catch {
    return new UploadError(failure.create);
  }
}

/** Sends one request with XMLHttpRequest, because `fetch` reports no progress of an upload. @throws UploadError */
function send({ method, url, type, body, signal, onSent }: UploadCall): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.upload.onprogress = ({ loaded }) => onSent?.(loaded);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.responseText);
      else reject(toUploadError(request.responseText));
    };
    request.onerror = () => reject(new UploadError(failure.interrupted));
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.open(method, url);
    if (type) request.setRequestHeader('Content-Type', type);
    request.send(body ?? null);
  });
}

async function computeDigest(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface Publication {
  /** A new upload URL (`createUpload`). */
  url: string;
  signal: AbortSignal;
  onProgress: (progress: PublishProgress) => void;
}

async function publishArchive(
  { file, type }: Extract<SitePackage, { kind: 'archive' }>,
  { url, signal, onProgress }: Publication,
): Promise<PublishedVersion> {
  const total = file.size;
  onProgress({ phase: 'sending', sent: 0, total });
  const responseText = await send({
    method: 'POST',
    url,
    type,
    body: file,
    signal,
    onSent: (sent) => onProgress({ phase: sent < total ? 'sending' : 'finishing', sent, total }),
  });
  return JSON.parse(responseText);
}

/** Sends the content of each file to the URL of its digest. */
async function sendFiles(files: ReadonlyMap<string, File>, { url, signal, onProgress }: Publication): Promise<void> {
  const total = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  const sentBytes = new Map<string, number>();
  const report = () =>
    onProgress({ phase: 'sending', sent: [...sentBytes.values()].reduce((sum, bytes) => sum + bytes, 0), total });
  report();
  const queue = [...files];
  const sendQueued = async () => {
    for (let nextFile = queue.shift(); nextFile; nextFile = queue.shift()) {
      const [digest, file] = nextFile;
      const onSent = (bytes: number) => {
        sentBytes.set(digest, Math.min(bytes, file.size));
        report();
      };
      const type = 'application/octet-stream';
      await send({ method: 'PUT', url: `${url}/content/${digest}`, type, body: file, signal, onSent });
      onSent(file.size);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_UPLOADS }, sendQueued));
}

async function publishFolder(files: readonly SiteFile[], publication: Publication): Promise<PublishedVersion> {
  const { url, signal, onProgress } = publication;
  if (files.length === 0) throw new UploadError(failure.emptyFolder);
  // Browsers offer SHA-256 only to secure origins.
  if (!window.isSecureContext) throw new UploadError(failure.folderNeedsTls);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const filesByDigest = new Map<string, File>();
  const fileEntries: Record<string, { sha256: string; size: number }> = {};
  let bytesRead = 0;
  for (const { path, file } of files) {
    signal.throwIfAborted();
    onProgress({ phase: 'reading', sent: bytesRead, total });
    const sha256 = await computeDigest(file).catch(() => {
      throw new UploadError(failure.unreadable, path);
    });
    fileEntries[path] = { sha256, size: file.size };
    filesByDigest.set(sha256, file);
    bytesRead += file.size;
  }
  const type = 'application/json';
  const manifest = new Blob([JSON.stringify({ files: fileEntries })], { type });
  const published: PublishedVersion = JSON.parse(await send({ method: 'POST', url, type, body: manifest, signal }));
  const missingDigests = new Set(published.missing ?? []);
  await sendFiles(new Map([...filesByDigest].filter(([digest]) => missingDigests.has(digest))), publication);
  onProgress({ phase: 'finishing', sent: total, total });
  const completed: PublishedVersion = JSON.parse(await send({ method: 'POST', url: `${url}/complete`, signal }));
  return { ...completed, warnings: [...published.warnings, ...completed.warnings] };
}

/** Publishes a package at an upload URL. @throws UploadError, and an AbortError if `signal` aborts */
export const publish = (source: SitePackage, publication: Publication): Promise<PublishedVersion> =>
  source.kind === 'archive' ? publishArchive(source, publication) : publishFolder(source.files, publication);
