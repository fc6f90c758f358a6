import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/database/database';
import { isSharedDatabase } from '../../../platform/database/queries/dialect';
import { toIsoFromNow } from '../../../platform/time/relative-time';
import { parseManifest } from '../../../routing/sites/manifest';
import { SiteVersion } from '../site-version.entity';
import { ContentHolder, ContentMachine, ContentPart } from './content.entity';
import { findNamesWithoutParts, listContentNames, receiveParts, storeParts } from './content-parts';
import type { ContentStore } from './content-store';
import { IncomingContent } from './incoming-content';

/** An activation waits for machines that were seen within this time. */
const MACHINE_TIMEOUT_MS = 5_000;
const MAX_WAIT_MS = 60_000;
const POLL_INTERVAL_MS = 250;
/** Exponential back-off: the machine that received the upload may still be storing the content in the database. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 16_000;
const VERSIONS_PER_PULL = 20;

const UNHELD_VERSIONS_SQL = `SELECT v._id AS id FROM site_versions AS v WHERE v.state = 'ready' AND NOT EXISTS
  (SELECT 1 FROM content_holders AS h WHERE h."versionId" = v._id AND h."machineId" = $1) ORDER BY v."createdAt" DESC`;
/** Selects machines that were seen since $2 and lack the version $1; no rows for a removed version. */
const LATE_MACHINES_SQL = `SELECT m."machineId" FROM content_machines AS m JOIN site_versions AS v ON v._id = $1
  WHERE m."seenAt" > $2 AND NOT EXISTS
  (SELECT 1 FROM content_holders AS h WHERE h."versionId" = $1 AND h."machineId" = m."machineId")`;

/**
 * Brings the content of versions to the disk of each machine (contract §8). On PostgreSQL the database holds the
 * content in parts; SQLite belongs to one machine, so nothing is exchanged.
 */
export class ContentExchange {
  /** Time of the next attempt (monotonic clock, ms) and last pause, for versions whose content was incomplete. */
  private readonly retries = new Map<string, { at: number; pauseMs: number }>();

  constructor(
    private readonly database: Database,
    private readonly store: ContentStore,
    private readonly machineId: string,
    private readonly log: Logger,
  ) {}

  private get isShared(): boolean {
    return isSharedDatabase(this.database.read);
  }

  /** Tells other machines that this machine pulls content. */
  async reportPresence(): Promise<void> {
    if (!this.isShared) return;
    const row = { machineId: this.machineId, seenAt: new Date().toISOString() };
    await this.database.concurrentWrite((manager) => manager.upsert(ContentMachine, row, ['machineId']));
  }

  /** Removes the row of this machine when it stops, so that no activation waits for the machine. */
  async deregister(): Promise<void> {
    const { machineId } = this;
    if (this.isShared) await this.database.concurrentWrite((manager) => manager.delete(ContentMachine, { machineId }));
  }

  /** Removes holder rows of versions whose manifest this disk has lost, so that the versions are pulled again. */
  async verifyHeldVersions(): Promise<void> {
    if (!this.isShared) return;
    const { machineId } = this;
    const { read } = this.database;
    const holders = await read.findBy(ContentHolder, { machineId });
    for (const { versionId } of holders) {
      const where = { _id: versionId };
      const version = await read.findOne(SiteVersion, { select: { _id: true, manifestDigest: true }, where });
      if (version?.manifestDigest && (await this.store.has(version.manifestDigest))) continue;
      await this.database.concurrentWrite((manager) => manager.delete(ContentHolder, { versionId, machineId }));
    }
  }

  /**
   * Pulls the versions that this machine lacks. Content that only this machine has is stored in the database.
   * @returns whether more versions may be due
   */
  async pullDue(): Promise<boolean> {
    if (!this.isShared) return false;
    const rows = await this.database.read.query<{ id: string }[]>(UNHELD_VERSIONS_SQL, [this.machineId]);
    const dueVersions = rows
      .filter(({ id }) => (this.retries.get(id)?.at ?? 0) <= performance.now())
      .slice(0, VERSIONS_PER_PULL);
    for (const { id } of dueVersions) await this.pullAndRegister(id);
    return dueVersions.length === VERSIONS_PER_PULL;
  }

  private async pullAndRegister(versionId: string): Promise<void> {
    const { machineId } = this;
    const version = await this.database.read.findOneBy(SiteVersion, { _id: versionId });
    if (!version) return;
    // Under the lock, garbage collection cannot remove content of the version while the rest is pulled.
    if (await this.store.lock.runShared(() => this.pull(version))) {
      this.retries.delete(versionId);
      await this.database.concurrentWrite((manager) =>
        manager.upsert(ContentHolder, { versionId, machineId }, ['versionId', 'machineId']),
      );
      return;
    }
    const pauseMs = Math.min(2 * (this.retries.get(versionId)?.pauseMs ?? MIN_RETRY_MS / 2), MAX_RETRY_MS);
    this.retries.set(versionId, { at: performance.now() + pauseMs, pauseMs });
    this.log.warn({ versionId }, 'the content of a version is incomplete; its holders are asked for it again');
    await this.database.concurrentWrite((manager) => manager.delete(ContentHolder, { versionId }));
  }

  /** Copies the content to this disk. @returns false if some content is neither on this disk nor in the database */
  private async pull({ manifest, manifestDigest }: SiteVersion): Promise<boolean> {
    if (manifestDigest === null || hash('sha256', manifest) !== manifestDigest) return false;
    const names = listContentNames(parseManifest(manifest));
    // The machine that received the upload of a version already has all content of the version.
    const isHere = await this.store.hasAll([...names, manifestDigest]);
    if (!isHere && !(await this.receive(names, manifest, manifestDigest))) return false;
    for (const name of await findNamesWithoutParts(this.database, names))
      await storeParts(this.database, this.store, name);
    return true;
  }

  /** Copies missing content from the database to this disk. @returns false if the database lacks a part of it, too */
  private async receive(names: readonly string[], manifest: string, manifestDigest: string): Promise<boolean> {
    const incoming = new IncomingContent(this.store);
    await incoming.create();
    try {
      for (const name of names) {
        if (await this.store.has(name)) continue;
        const file = join(incoming.folder, name);
        if (!(await receiveParts(this.database, name, file))) {
          // The parts are removed, so that another machine that holds the content stores them again.
          await this.database.concurrentWrite((manager) => manager.delete(ContentPart, { name }));
          return false;
        }
        await this.store.adopt(file, name);
      }
      await this.store.syncNames(names);
      // The manifest is stored last, because the edge serves a version whose manifest it finds.
      if (!(await this.store.has(manifestDigest))) {
        const file = join(incoming.folder, 'manifest');
        await writeFile(file, manifest, { mode: 0o600 });
        await this.store.adopt(file, manifestDigest);
        await this.store.syncNames([manifestDigest]);
      }
      return true;
    } finally {
      await incoming.remove();
    }
  }

  /** Whether some machine has the content of a version. A restored backup may lack the content of older versions. */
  async isAvailable({ _id: versionId, manifestDigest }: SiteVersion): Promise<boolean> {
    const isHere = manifestDigest !== null && (await this.store.has(manifestDigest));
    return isHere || this.database.read.existsBy(ContentHolder, { versionId });
  }

  /**
   * Waits up to 60 s until every other machine that was seen within the last 5 s holds a version.
   * @returns false if a machine is late; its edge keeps the previous version
   */
  async waitForMachines(versionId: string): Promise<boolean> {
    if (!this.isShared) return true;
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const since = toIsoFromNow(-MACHINE_TIMEOUT_MS);
      const rows = await this.database.read.query<{ machineId: string }[]>(LATE_MACHINES_SQL, [versionId, since]);
      if (rows.every(({ machineId }) => machineId === this.machineId)) return true;
      if (performance.now() > deadline) return false;
      await sleep(POLL_INTERVAL_MS);
    }
  }
}
