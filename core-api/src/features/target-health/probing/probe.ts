import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { getErrorCode } from '../../../platform/errors/error-details';
import { formatAuthority } from '../../../platform/net/authority';
import { createFixedLookup, lookupTarget, RefusedTargetError } from '../../../platform/net/guarded-lookup';
import type { ProbeTarget } from '../../../platform/net/probe-target';
import { parseStaticPath } from '../../../platform/net/static-root';
import type { TargetRules } from '../../../platform/net/target';
import { targetHealthMessages as messages } from '../target-health.messages';
import type { ProbeStep } from '../target-health.schema';

const isTimeout = (error: unknown): boolean =>
  (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)) ||
  getErrorCode(error) === 'ETIMEDOUT';

const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);

function formatTlsError(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return messages.expired;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return messages.otherName;
  return /SELF_SIGNED|UNABLE_TO|CERT_/.test(code) ? messages.untrusted : messages.tlsFailed;
}

function formatTcpError(code: string, port: number): string {
  if (code === 'ECONNREFUSED') return messages.refused(port);
  return UNREACHABLE.has(code) ? messages.unreachable : messages.failed;
}

const formatFolderError = (code: string): string =>
  code === 'ENOENT' || code === 'ENOTDIR' ? messages.missingFolder : messages.unreadable;

const errorFormatters: Record<ProbeStep['step'], (code: string, port: number) => string> = {
  dns: (code) => (code === 'ENOTFOUND' ? messages.unknownName : messages.dnsFailed),
  tcp: formatTcpError,
  tls: formatTlsError,
  http: (code) => (code.startsWith('HPE_') ? messages.notHttp : messages.hungUp),
  folder: formatFolderError,
  index: formatFolderError,
};

function formatFailure(step: ProbeStep['step'], error: unknown, port: number): string {
  if (error instanceof RefusedTargetError) return messages[error.refusal];
  return isTimeout(error) ? messages.silent : errorFormatters[step](getErrorCode(error), port);
}

export interface ProbeResult {
  steps: ProbeStep[];
  /** Status of the HTTP response. */
  status: number | null;
}

type HttpTarget = Extract<ProbeTarget, { kind: 'http' }>;

/** Time limit of each of the two requests, HEAD and GET. */
const ATTEMPT_MS = 3_000;

/** A step that failed without a system error. The message is shown to the user. */
class ProbeFailure extends Error {}

export interface ProbeOptions {
  /** Sends GET as soon as HEAD has a connection, because a hanging target would otherwise take twice the limit. */
  inParallel?: boolean;
}

/**
 * Probes a target. Any HTTP response counts as success, and so do a readable folder and a version whose files are
 * on this machine. A folder without `index.html` has the failed step `index`. Only allowed addresses are called.
 */
export async function probe(
  target: ProbeTarget,
  rules: TargetRules,
  { inParallel = false }: ProbeOptions = {},
): Promise<ProbeResult> {
  if (target.kind === 'folder') return probeFolder(target.folder, rules);
  if (target.kind === 'version') return probeVersion(target.id, rules);
  let getResult: Promise<ProbeResult> | undefined;
  const onConnected = () => {
    if (inParallel) getResult = attemptRequest(target, 'GET', rules);
  };
  const headResult = await attemptRequest(target, 'HEAD', rules, onConnected);
  const hasNoResponse = headResult.steps.at(-1)?.step === 'http' && headResult.status === null;
  return hasNoResponse ? (getResult ?? attemptRequest(target, 'GET', rules)) : headResult;
}

/** Runs the steps of a probe, and records the duration and outcome of each. */
class StepRecorder {
  readonly steps: ProbeStep[] = [];

  constructor(private readonly port = 0) {}

  async run<T>(step: ProbeStep['step'], work: () => Promise<T>, format: (value: T) => string): Promise<T> {
    const startedAt = performance.now();
    const record = (ok: boolean, detail: string) =>
      this.steps.push({ step, ok, ms: Math.round(performance.now() - startedAt), detail });
    try {
      const value = await work();
      record(true, format(value));
      return value;
    } catch (error) {
      record(false, error instanceof ProbeFailure ? error.message : formatFailure(step, error, this.port));
      throw error;
    }
  }
}

async function attemptRequest(
  target: HttpTarget,
  method: 'HEAD' | 'GET',
  rules: TargetRules,
  onConnected?: () => void,
): Promise<ProbeResult> {
  const { host, port, tls } = target;
  const recorder = new StepRecorder(port);
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  let socket: Socket | undefined;
  try {
    const lookUp = () => lookupTarget(target, rules.ownPorts, signal);
    const resolvedAddresses = isIP(host)
      ? undefined
      : await recorder.run('dns', lookUp, (list) => messages.resolved(list.map(({ address }) => address).join(', ')));
    const tcpSocket = await recorder.run(
      'tcp',
      async () => {
        // A target with an IP address has no step `dns`, so a forbidden IP address fails in this step.
        const newSocket = connect({ host, port, lookup: createFixedLookup(resolvedAddresses ?? (await lookUp())) });
        socket = newSocket;
        // `once` rejects on an error. Without this listener, a later error would be an uncaught exception.
        newSocket.on('error', () => undefined);
        await once(newSocket, 'connect', { signal });
        return newSocket;
      },
      () => messages.connected(port),
    );
    const connection = tls
      ? await recorder.run(
          'tls',
          () => startTls(tcpSocket, host, signal),
          (tlsSocket) => messages.secured(getIssuer(tlsSocket)),
        )
      : tcpSocket;
    socket = connection;
    onConnected?.();
    const { statusCode = 0 } = await recorder.run(
      'http',
      () => sendRequest(connection, target, method, signal),
      (response) => messages.answered(response.statusCode ?? 0),
    );
    return { steps: recorder.steps, status: statusCode };
  } catch {
    // The failed step has recorded the reason.
    return { steps: recorder.steps, status: null };
  } finally {
    socket?.destroy();
  }
}

async function startTls(tcpSocket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
  const socket = connectTls({ socket: tcpSocket, ...(isIP(host) === 0 && { servername: host }), host });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect', { signal });
  return socket;
}

function getIssuer(socket: TLSSocket): string {
  const { O, CN } = socket.getPeerCertificate().issuer ?? {};
  return [O ?? CN].flat()[0] ?? '?';
}

async function sendRequest(
  socket: Socket,
  target: HttpTarget,
  method: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const clientRequest = request({
    method,
    path: '/',
    headers: { Host: formatAuthority(target), 'User-Agent': 'studio-health', Connection: 'close' },
    createConnection: () => socket,
    signal,
  });
  clientRequest.on('error', () => undefined).end();
  const [response]: IncomingMessage[] = await once(clientRequest, 'response', { signal });
  if (!response) throw new ProbeFailure(messages.hungUp);
  response.on('error', () => undefined);
  return response;
}

async function probeFolder(folder: string, { staticRules }: TargetRules): Promise<ProbeResult> {
  const recorder = new StepRecorder();
  const check = async () => {
    if (!(await stat(folder)).isDirectory()) throw new ProbeFailure(messages.notFolder);
    if (parseStaticPath(folder, staticRules) === undefined) throw new ProbeFailure(messages.folderForbidden);
    await access(folder, constants.R_OK | constants.X_OK);
  };
  try {
    await recorder.run('folder', check, () => messages.readable);
    const index = await stat(join(folder, 'index.html')).catch(() => undefined);
    if (!index?.isFile()) recorder.steps.push({ step: 'index', ok: false, ms: 0, detail: messages.noIndex });
  } catch {
    // The failed step has recorded the reason.
  }
  return { steps: recorder.steps, status: null };
}

async function probeVersion(id: string, { isVersionComplete }: TargetRules): Promise<ProbeResult> {
  const recorder = new StepRecorder();
  const check = async () => {
    if (!(await isVersionComplete?.(id))) throw new ProbeFailure(messages.incompleteVersion);
  };
  // The failed step has recorded the reason.
  await recorder.run('folder', check, () => messages.completeVersion).catch(() => undefined);
  return { steps: recorder.steps, status: null };
}
