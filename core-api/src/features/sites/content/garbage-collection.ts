import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type EntityManager, type FindOperator, In, LessThan } from 'typeorm';
import { chunks } from '../../../platform/collections/chunks';
import { groupBy } from '../../../platform/collections/group-by';
import type { Database } from '../../../platform/database/database';
import { type SiteType, siteTypes } from '../../../platform/http/access/access';
import { DAY_MS, HOUR_MS } from '../../../platform/time/relative-time';
import { parseManifest, type SiteManifest } from '../../../routing/sites/manifest';
import { removeVersions, type SiteOwnerStore } from '../site-owner';
import { SiteActivation, SiteVersion } from '../site-version.entity';
import { isCollectionDeferred } from './backup-marker';
import { Content } from './content.entity';
import { type ContentStore, toDigest } from './content-store';
import { recompress } from './recompression';

const FIRST_RUN_DELAY_MS = 60_000;
const KEPT_VERSIONS = 20;
/** Removes activations that were replaced before $1 and are not the last activation of the previous version. */
const REMOVE_OLD_ACTIVATIONS_SQL = `DELETE FROM site_activations WHERE _id IN (
  SELECT old._id FROM site_activations AS old
    JOIN site_activations AS later ON later."ownerId" = old."ownerId" AND later.at > old.at
  WHERE old.at < $1 GROUP BY old._id HAVING MIN(later.at) < $1
    AND (COUNT(DISTINCT later."versionId") > 1 OR MAX(CASE WHEN later."versionId" = old."versionId" THEN 1 END) = 1))`;
const REMOVE_UNUSED_PARTS_SQL = `DELETE FROM content_parts
  WHERE NOT EXISTS (SELECT 1 FROM content WHERE digest = substr(content_parts.name, 1, 64))`;
const REMOVE_UNUSED_HOLDERS_SQL = `DELETE FROM content_holders
  WHERE NOT EXISTS (SELECT 1 FROM site_versions WHERE _id = content_holders."versionId")`;

const isOlder = async (path: string, before: number): Promise<boolean> => {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && stats.mtimeMs < before;
};

/** Removes unused versions, and content that no version has (contract §8). */
export class GarbageCollection {
  /** Time of the next collection on the monotonic clock, ms. */
  private nextRunAt = performance.now() + FIRST_RUN_DELAY_MS;

  constructor(
    private readonly database: Database,
    private readonly store: ContentStore,
    private readonly owners: Record<SiteType, SiteOwnerStore>,
  ) {}

  /** Collects garbage and recompresses content every day, the first time soon after the start. */
  async runDue(signal: AbortSignal): Promise<void> {
    if (performance.now() < this.nextRunAt) return;
    // A collection that was deferred or failed is repeated after an hour.
    this.nextRunAt = performance.now() + HOUR_MS;
    const isCollected = await this.collect(Date.now());
    await recompress(this.store, signal);
    this.nextRunAt = performance.now() + (isCollected ? DAY_MS : HOUR_MS);
  }

  /** Runs one collection. @returns false, without collecting, if a publication, backup or collection is running */
  async collect(now: number): Promise<boolean> {
    if (isCollectionDeferred(this.store.dataDir)) return false;
    const isCollected = await this.store.lock.runExclusive(async () => {
      await this.removeUnusedVersions(now);
      await this.removeActivations(now);
      await this.removeContent(now);
      await this.sweepIncoming(now);
      return true;
    });
    return isCollected ?? false;
  }

  private async removeUnusedVersions(now: number): Promise<void> {
    const dayAgo = new Date(now - DAY_MS).toISOString();
    await this.database.concurrentWrite((manager) =>
      manager.update(SiteVersion, { state: 'receiving', createdAt: LessThan(dayAgo) }, { state: 'failed' }),
    );
    for (const chunk of chunks(await this.findRemovableVersions(this.database.read, dayAgo))) {
      const ids = new Set(chunk.map(({ _id }) => _id));
      const ownerId = In([...new Set(chunk.map((version) => version.ownerId))]);
      await this.database.concurrentWrite(async (manager) => {
        // The sites are read again in the transaction, because a version may have been activated or pinned since.
        const removableNow = await this.findRemovableVersions(manager, dayAgo, { ownerId });
        await removeVersions(
          manager,
          removableNow.map(({ _id }) => _id).filter((id) => ids.has(id)),
        );
      });
    }
  }

  /**
   * Finds the versions to remove. The newest 20 of each site stay, and so do pinned, served and recently failed
   * versions, and versions from which an open page may still request files.
   */
  private async findRemovableVersions(
    manager: EntityManager,
    dayAgo: string,
    where: { ownerId?: FindOperator<string> } = {},
  ): Promise<SiteVersion[]> {
    const versions = await manager.find(SiteVersion, {
      select: { _id: true, ownerKind: true, ownerId: true, state: true, pinned: true, createdAt: true },
      where,
      order: { ownerId: 'ASC', number: 'DESC' },
    });
    const owners = await this.findExistingOwners(manager, versions);
    const twoDaysAgo = new Date(Date.parse(dayAgo) - DAY_MS).toISOString();
    const ownedVersions = versions.filter(({ ownerId }) => owners.has(ownerId));
    const recentFailures = ownedVersions.filter(({ state, createdAt }) => state === 'failed' && createdAt > twoDaysAgo);
    const usableVersions = ownedVersions.filter(({ state }) => state !== 'failed');
    const keptVersions = [...groupBy(usableVersions, ({ ownerId }) => ownerId).values()].flatMap((siteVersions) =>
      siteVersions.filter(({ pinned }, index) => pinned || index < KEPT_VERSIONS),
    );
    const activations = await manager.find(SiteActivation, { where, order: { at: 'DESC', _id: 'DESC' } });
    const servedActivations = [...groupBy(activations, ({ ownerId }) => ownerId).values()].flatMap((newestFirst) => {
      const recentCount = newestFirst.filter(({ at }) => at > dayAgo).length;
      // The activation before the recent ones was in force at the start of the day.
      return newestFirst.slice(0, recentCount + 1);
    });
    const keptIds = new Set([...recentFailures, ...keptVersions].map(({ _id }) => _id));
    for (const { versionId } of servedActivations) keptIds.add(versionId);
    return versions.filter(({ _id }) => !keptIds.has(_id));
  }

  private async findExistingOwners(manager: EntityManager, versions: readonly SiteVersion[]): Promise<Set<string>> {
    const owners = new Set<string>();
    for (const kind of siteTypes) {
      const ids = versions.flatMap(({ ownerKind, ownerId }) => (ownerKind === kind ? [ownerId] : []));
      for (const id of await this.owners[kind].findExisting(manager, [...new Set(ids)])) owners.add(id);
    }
    return owners;
  }

  /**
   * Removes activations whose version was replaced more than two days ago, because no open page needs its files. The
   * last activation of the previous version stays, because a backup contains that version.
   */
  private async removeActivations(now: number): Promise<void> {
    const twoDaysAgo = new Date(now - 2 * DAY_MS).toISOString();
    await this.database.concurrentWrite((manager) => manager.query(REMOVE_OLD_ACTIVATIONS_SQL, [twoDaysAgo]));
  }

  private async removeContent(now: number): Promise<void> {
    const usedDigests = await this.findUsedDigests();
    const dayAgo = new Date(now - DAY_MS).toISOString();
    const { read } = this.database;
    const unseenContent = await read.find(Content, { select: { digest: true }, where: { seenAt: LessThan(dayAgo) } });
    const unusedDigests = unseenContent.map(({ digest }) => digest).filter((digest) => !usedDigests.has(digest));
    for (const chunk of chunks(unusedDigests)) {
      await this.database.concurrentWrite((manager) =>
        manager.delete(Content, { digest: In(chunk), seenAt: LessThan(dayAgo) }),
      );
    }
    await this.removeUnusedParts();
    const knownContent = await read.find(Content, { select: { digest: true } });
    await this.removeFilesExcept(new Set([...usedDigests, ...knownContent.map(({ digest }) => digest)]), now - DAY_MS);
  }

  /** Removes the files of all content except `digests`. @param before ms since the epoch; newer files stay */
  private async removeFilesExcept(digests: ReadonlySet<string>, before: number): Promise<void> {
    for (const folder of await readdir(this.store.objects).catch(() => [])) {
      const path = join(this.store.objects, folder);
      for (const name of await readdir(path).catch(() => [])) {
        const isRemovable = !digests.has(toDigest(name)) && (await isOlder(join(path, name), before));
        if (isRemovable) await rm(join(path, name), { force: true });
      }
    }
  }

  /** Removes the parts of removed content, and the holder rows of removed versions (`ContentExchange`). */
  private async removeUnusedParts(): Promise<void> {
    await this.database.concurrentWrite(async (manager) => {
      await manager.query(REMOVE_UNUSED_PARTS_SQL);
      await manager.query(REMOVE_UNUSED_HOLDERS_SQL);
    });
  }

  /** Reads manifests one after the other, because together they may be larger than the memory. */
  private async findUsedDigests(): Promise<Set<string>> {
    const digests = new Set<string>();
    const rows = await this.database.read.find(SiteVersion, { select: { _id: true } });
    for (const { _id } of rows) {
      const version = await this.database.read.findOneBy(SiteVersion, { _id });
      if (!version) continue;
      if (version.manifestDigest !== null) digests.add(version.manifestDigest);
      const { files, ruleFiles = [] }: Partial<SiteManifest> = parseManifest(version.manifest);
      for (const { sha256 } of Object.values(files ?? {})) digests.add(sha256);
      for (const digest of ruleFiles) digests.add(digest);
    }
    return digests;
  }

  /** Removes packages of killed processes, and files of versions that were never completed. */
  private async sweepIncoming(now: number): Promise<void> {
    const { read } = this.database;
    const receivingVersions = await read.find(SiteVersion, { select: { _id: true }, where: { state: 'receiving' } });
    const receivingIds = new Set(receivingVersions.map(({ _id }) => _id));
    for (const name of await readdir(this.store.incoming).catch(() => [])) {
      const path = join(this.store.incoming, name);
      if (!receivingIds.has(name) && (await isOlder(path, now - HOUR_MS)))
        await rm(path, { recursive: true, force: true });
    }
  }
}
