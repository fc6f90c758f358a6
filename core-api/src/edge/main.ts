import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Config, readConfig } from '../config';
import { createLog } from '../log';
import { failStart } from '../start-failure';
import { createAdmin } from './admin';
import { createFrontDoor } from './front-door';
import type { ToPrimary, ToWorker } from './messages';
import { addMeasured, type Measured, prometheusText } from './metrics';
import type { ConfigurationUpdate, RowChange } from './snapshot/rows';
import { State } from './snapshot/state';
import { Store } from './store';
import { UsageDelivery } from './usage-delivery';
import { runWorker } from './worker';

const POLL = 200;
const DELIVER = 1_000;
const PRUNE = 3_600_000;
const DRAIN = 9_500;
const FIRST_RESTART = 100;
const SLOWEST_RESTART = 10_000;
const MARK = 'EDGE_MARK';

/** All rows as they are now, for workers that start later. */
class Rows {
  private readonly rows = new Map<string, RowChange>();
  private revision: number | undefined;

  apply({ revision, whole, changes }: ConfigurationUpdate): void {
    if (whole) this.rows.clear();
    for (const change of changes) {
      if (change.row) this.rows.set(change.id, change);
      else this.rows.delete(change.id);
    }
    this.revision = revision;
  }

  /** Nothing before the first update. */
  get all(): ConfigurationUpdate | undefined {
    if (this.revision === undefined) return undefined;
    return { revision: this.revision, whole: true, changes: [...this.rows.values()] };
  }

  get known(): number | undefined {
    return this.revision;
  }
}

/** The primary: follows the configuration, keeps the workers alive and up to date, brings their counts home. */
async function runPrimary(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL, 'edge');
  const edgeId = randomUUID();
  const store = new Store(config);
  const delivery = new UsageDelivery(store, edgeId, log);
  const rows = new Rows();
  const state = new State(createLog('silent', 'edge'));
  const decide = createFrontDoor(config.BASE_DOMAIN, state);
  const measured = new Map<string, Measured>();
  const sockets = new Map<number, { busy: number; free: number }>();
  const serving = new Set<number>();
  let comparedAt = 0;
  let stopping = false;
  let restartDelay = FIRST_RESTART;

  const tell = (worker: Worker, message: ToWorker) => {
    if (worker.isConnected()) worker.send(message);
  };
  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

  function fork(): void {
    const worker = cluster.fork({ [MARK]: `edge-${edgeId}` });
    worker.on('message', (message: ToPrimary) => receive(worker, message));
    const everything = rows.all;
    if (everything) tell(worker, { type: 'configuration', update: everything });
    worker.once('exit', (code) => {
      serving.delete(worker.id);
      sockets.delete(worker.id);
      if (stopping) return;
      log.error({ code }, 'a worker ended; another one takes its place');
      setTimeout(fork, restartDelay);
      restartDelay = Math.min(restartDelay * 2, SLOWEST_RESTART);
    });
  }

  function receive(worker: Worker, message: ToPrimary): void {
    if (message.type === 'serving') {
      serving.add(worker.id);
      restartDelay = FIRST_RESTART;
    } else if (message.type === 'report') {
      delivery.add(message.usage);
      addMeasured(measured, message.measured);
      sockets.set(worker.id, message.sockets);
    } else failStart(new Error(message.reason), 'PORT');
  }

  /** One look at the database; while it is away, the last configuration stays in force. */
  async function compare(): Promise<void> {
    const update = await store.updateSince(rows.known);
    comparedAt = Date.now();
    if (!update) return;
    rows.apply(update);
    state.apply(update);
    for (const worker of workers()) tell(worker, { type: 'configuration', update });
  }

  const admin = createAdmin({
    isReady: () => !stopping && serving.size > 0,
    serves: (host) => ['studio', 'gateway', 'site'].includes(decide(host).kind),
    metricsText: () =>
      prometheusText(measured.values(), {
        revision: rows.known ?? 0,
        snapshotAgeSeconds: comparedAt === 0 ? 0 : (Date.now() - comparedAt) / 1000,
        workers: serving.size,
        busySockets: [...sockets.values()].reduce((sum, { busy }) => sum + busy, 0),
        freeSockets: [...sockets.values()].reduce((sum, { free }) => sum + free, 0),
        pendingUsage: delivery.pending,
      }),
  });
  admin.once('error', (error) => failStart(error, 'EDGE_ADMIN_PORT'));
  admin.listen(config.EDGE_ADMIN_PORT, '127.0.0.1');

  /** Runs `task` again and again, `pause` ms after each end; a failure is logged once until it works again. */
  function repeat(pause: number, what: string, task: () => Promise<void>): void {
    let failing = false;
    const turn = async () => {
      try {
        await task();
        failing = false;
      } catch (error) {
        if (!failing) log.warn({ err: error }, `${what}: not possible at the moment`);
        failing = true;
      }
      if (!stopping) setTimeout(turn, pause);
    };
    void turn();
  }

  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    const gone = workers().map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())));
    for (const worker of workers()) tell(worker, { type: 'drain' });
    const force = setTimeout(() => {
      for (const worker of workers()) worker.process.kill('SIGKILL');
    }, DRAIN);
    await Promise.all(gone);
    clearTimeout(force);
    await delivery.deliver();
    await delivery.deliver();
    await store.close();
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());

  let open = false;
  const openThenCompare = async () => {
    if (!open) await store.open();
    open = true;
    // A first start on an empty folder: the core is still creating the tables.
    if (rows.known === undefined && !(await store.isReady())) return;
    await compare();
  };
  for (let count = config.EDGE_WORKERS ?? availableParallelism(); count > 0; count -= 1) fork();
  repeat(POLL, 'reading the configuration', openThenCompare);
  repeat(DELIVER, 'storing usage', () => delivery.deliver());
  repeat(PRUNE, 'pruning history', async () => {
    if (open) await store.prune();
  });
}

try {
  const config = readConfig(process.env);
  if (cluster.isPrimary) runPrimary(config).catch((error: unknown) => failStart(error, 'PORT'));
  else runWorker(config, process.env[MARK] ?? '');
} catch (error) {
  failStart(error, 'PORT');
}
