import { promises as dns, type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { targetFault } from '../rules/own-address';
import type { ProbeTarget } from '../rules/probe-target';
import { parseStaticPath } from '../rules/static-root';
import type { TargetRules } from '../rules/target';
import { healthMessages as messages } from './health.messages';
import { faultSentence } from './probe-faults';
import type { ProbeStep } from './probe-step';

export interface ProbeResult {
  steps: ProbeStep[];
  /** Of the HTTP response. */
  status: number | null;
}

type HttpTarget = Extract<ProbeTarget, { kind: 'http' }>;

/** Per request: HEAD, and GET where HEAD fails. */
const ATTEMPT_MS = 3_000;

/** A step that failed without a system error; the message is for the screen. */
class StepFault extends Error {}

/** Any HTTP response is success, and so is a readable folder. Connects to allowed target addresses only. */
export async function probe(target: ProbeTarget, rules: TargetRules): Promise<ProbeResult> {
  if (target.kind === 'folder') return probeFolder(target.folder, rules);
  const head = await attempt(target, 'HEAD', rules);
  return head.steps.at(-1)?.step === 'http' && head.status === null ? attempt(target, 'GET', rules) : head;
}

/** `runStep` times each step and records how it ended. */
function stepRecorder(port: number) {
  const steps: ProbeStep[] = [];
  async function runStep<T>(step: ProbeStep['step'], work: () => Promise<T>, detail: (value: T) => string): Promise<T> {
    const startedAt = performance.now();
    const record = (ok: boolean, sentence: string) =>
      steps.push({ step, ok, ms: Math.round(performance.now() - startedAt), detail: sentence });
    try {
      const value = await work();
      record(true, detail(value));
      return value;
    } catch (error) {
      record(false, error instanceof StepFault ? error.message : faultSentence(step, error, port));
      throw error;
    }
  }
  return { steps, runStep };
}

async function attempt(target: HttpTarget, method: 'HEAD' | 'GET', rules: TargetRules): Promise<ProbeResult> {
  const { host, port, tls } = target;
  const { steps, runStep } = stepRecorder(port);
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  let socket: Socket | undefined;
  try {
    const addresses = await runStep(
      'dns',
      () => resolve(target, rules, signal),
      (found) => (isIP(host) ? messages.literal : messages.resolved(found.map(({ address }) => address).join(', '))),
    );
    socket = connect({ host, port, lookup: (_host, _options, callback) => callback(null, addresses) });
    socket.on('error', () => undefined);
    const tcpSocket = socket;
    await runStep(
      'tcp',
      () => once(tcpSocket, 'connect', { signal }),
      () => messages.connected(port),
    );
    if (tls)
      socket = await runStep(
        'tls',
        () => startTls(tcpSocket, host, signal),
        (secured) => messages.secured(issuerOf(secured)),
      );
    const connection = socket;
    const { statusCode = 0 } = await runStep(
      'http',
      () => sendRequest(connection, target, method, signal),
      (response) => messages.answered(response.statusCode ?? 0),
    );
    return { steps, status: statusCode };
  } catch {
    // The failed step has the reason.
    return { steps, status: null };
  } finally {
    socket?.destroy();
  }
}

/** Resolves the name once and checks the addresses; the connection uses exactly these. */
async function resolve(
  { host, port }: HttpTarget,
  { ownPorts }: TargetRules,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await rejectOnAbort(dns.lookup(host, { all: true }), signal);
  const fault = addresses.map(({ address }) => targetFault(address, port, ownPorts)).find(Boolean);
  if (fault) throw new StepFault(messages[fault]);
  return addresses;
}

/** `dns.lookup` cannot be cancelled, only abandoned. */
async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return Promise.race([work, once(signal, 'abort').then(() => Promise.reject(signal.reason))]);
}

async function startTls(tcpSocket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
  const socket = connectTls({ socket: tcpSocket, ...(isIP(host) === 0 && { servername: host }), host });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect', { signal });
  return socket;
}

function issuerOf(socket: TLSSocket): string {
  const { O, CN } = socket.getPeerCertificate().issuer ?? {};
  return [O ?? CN].flat()[0] ?? '?';
}

async function sendRequest(
  socket: Socket,
  { host, port, tls }: HttpTarget,
  method: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const name = host.includes(':') ? `[${host}]` : host;
  const outgoing = request({
    method,
    path: '/',
    headers: {
      Host: port === (tls ? 443 : 80) ? name : `${name}:${port}`,
      'User-Agent': 'studio-health',
      Connection: 'close',
    },
    createConnection: () => socket,
    signal,
  });
  outgoing.on('error', () => undefined);
  outgoing.end();
  const [response]: IncomingMessage[] = await once(outgoing, 'response', { signal });
  if (!response) throw new StepFault(messages.hungUp);
  response.on('error', () => undefined);
  return response;
}

async function probeFolder(folder: string, { staticRules }: TargetRules): Promise<ProbeResult> {
  const { steps, runStep } = stepRecorder(0);
  const check = async () => {
    if (!(await stat(folder)).isDirectory()) throw new StepFault(messages.notFolder);
    if (parseStaticPath(folder, staticRules) === undefined) throw new StepFault(messages.folderForbidden);
    await access(folder, constants.R_OK | constants.X_OK);
  };
  // The failed step has the reason.
  await runStep('folder', check, () => messages.readable).catch(() => undefined);
  return { steps, status: null };
}
