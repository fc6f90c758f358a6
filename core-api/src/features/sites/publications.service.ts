import type { Readable } from 'node:stream';
import type { ChangeContext } from '../../platform/database/database';
import { RuleError } from '../../platform/errors/rule-error';
import type { RolloutStatus } from '../rollout';
import { IncomingContent } from './content/incoming-content';
import { readSiteContents, type SiteContents } from './content/site-contents';
import type { PackageType } from './package/extract';
import type { FinishedPackage } from './package/finish-package';
import { MAX_FILE_BYTES, MAX_PACKAGE_BYTES } from './package/limits';
import type { PackageEntry } from './package/package-entry';
import { runPackageJob } from './package/package-threads';
import { limitWarnings, type SelectedFiles } from './package/select-files';
import { createPreviewUrl } from './preview-host';
import type { SiteOwner } from './site-owner';
import { SiteVersion } from './site-version.entity';
import { siteMessages as messages } from './sites.messages';
import type { PublishedResponse, PublishQuery } from './sites.schema';
import { type SitesOptions, waitForRollout } from './sites.service';
import {
  activateVersion,
  createListManifest,
  createVersion,
  insertVersion,
  parseManifestFiles,
  type ReceivedVersion,
  requireVersion,
  storeReadyVersion,
} from './version-rows';

/** A package that is being received. */
export interface PackageStream {
  readonly type: PackageType;
  readonly body: Readable;
}

/** Receives packages and creates versions from them (contract §8). */
export class PublicationsService {
  /** Sites with a publication under way. */
  private readonly busySites = new Set<string>();

  constructor(private readonly options: SitesOptions & { dataDir: string }) {}

  /** Receives a package and creates a version. The version of a file list is incomplete until the files follow. */
  async publish(
    context: ChangeContext,
    owner: SiteOwner,
    packageStream: PackageStream,
    query: PublishQuery,
  ): Promise<PublishedResponse> {
    if (!owner.isStatic) throw new RuleError('invalid', messages.notStatic);
    return this.runExclusively(owner, async () => {
      const incoming = new IncomingContent(this.options.store);
      await incoming.create();
      try {
        const file = await incoming.receivePackage(packageStream.body, MAX_PACKAGE_BYTES);
        // A client may send slowly, so the store is locked only after the package has arrived.
        return await this.options.store.lock.runShared(() =>
          this.processPackage(context, owner, { type: packageStream.type, file, folder: incoming.folder }, query),
        );
      } finally {
        await incoming.remove();
      }
    });
  }

  private async processPackage(
    context: ChangeContext,
    owner: SiteOwner,
    { type, file, folder }: { type: PackageType; file: string; folder: string },
    query: PublishQuery,
  ): Promise<PublishedResponse> {
    const { selection } = await runPackageJob({ task: 'read', type, file, folder });
    if (type === 'json') return this.receiveList(context, owner, selection, query);
    const contents = await readSiteContents(this.options.database.read, owner.id);
    const finishedPackage = await this.finishPackage(selection.files, folder, contents);
    const row = createVersion(context, owner, selection.files, query);
    const version = await this.storeReady(context, owner, { version: row, files: selection.files, finishedPackage });
    return {
      ...this.summarize(version, contents, selection.files),
      warnings: limitWarnings([...selection.warnings, ...finishedPackage.warnings]),
      live: query.activate ? await this.activate(context, owner, version._id) : null,
    };
  }

  /** Creates a version whose files are sent one by one. A repeated list continues the same version. */
  private async receiveList(
    context: ChangeContext,
    owner: SiteOwner,
    { files, warnings }: SelectedFiles,
    query: PublishQuery,
  ): Promise<PublishedResponse> {
    const manifest = createListManifest(files);
    const { read } = this.options.database;
    const contents = await readSiteContents(read, owner.id);
    const receivingVersions = await read.findBy(SiteVersion, { ownerId: owner.id, state: 'receiving' });
    let version = receivingVersions.find((row) => row.manifest === manifest && row.activates === query.activate);
    if (!version) {
      const row = { ...createVersion(context, owner, files, query), state: 'receiving' as const, manifest };
      version = await this.options.database.serializedWrite(context, async (manager) => {
        await this.options.owners[owner.kind].find(manager, owner.id, context.projects);
        return insertVersion(manager, owner, row);
      });
    }
    const incoming = new IncomingContent(this.options.store, version._id);
    await incoming.create();
    const listedDigests = new Set(files.map(({ sha256 }) => sha256));
    // An interrupted upload of another list may already have some of these files.
    for (const otherVersion of receivingVersions) {
      if (otherVersion._id !== version._id)
        await incoming.linkFrom(new IncomingContent(this.options.store, otherVersion._id), listedDigests);
    }
    return {
      ...this.summarize(version, contents, files),
      missing: await this.findMissingDigests(incoming, files, contents),
      warnings: limitWarnings(warnings),
      live: null,
    };
  }

  /** Finds the digests that no earlier version of this site contains and that have not been received yet. */
  private async findMissingDigests(
    incoming: IncomingContent,
    files: readonly PackageEntry[],
    contents: SiteContents,
  ): Promise<string[]> {
    const missingDigests: string[] = [];
    for (const sha256 of new Set(files.map((file) => file.sha256))) {
      const isKnown = contents.digests.has(sha256) && (await this.options.store.has(sha256));
      if (!isKnown && !(await incoming.has(sha256))) missingDigests.push(sha256);
    }
    return missingDigests;
  }

  /** Stores content that is in the list of a version. @throws RuleError invalid, notFound, conflict */
  async receiveContent(id: string, sha256: string, body: Readable): Promise<void> {
    const file = (await this.readIncompleteList(id)).find((candidate) => candidate.sha256 === sha256);
    if (!file) throw new RuleError('notFound', messages.unknownContent);
    const incoming = new IncomingContent(this.options.store, id);
    await incoming.create();
    await incoming.receiveContent(body, sha256, Math.min(file.size, MAX_FILE_BYTES)).catch(async (error: unknown) => {
      // If the version was completed or removed during the upload, its folder is gone, and this call throws the reason.
      await this.readIncompleteList(id);
      throw error;
    });
  }

  /** The files of a version that is not complete. @throws RuleError notFound, conflict */
  private async readIncompleteList(id: string): Promise<PackageEntry[]> {
    const version = await requireVersion(this.options.database.read, id);
    if (version.state !== 'receiving') throw new RuleError('conflict', messages.uploadExpired);
    return parseManifestFiles(version);
  }

  /** Completes a version whose files were sent one by one. @throws RuleError conflict while files are missing */
  async complete(context: ChangeContext, owner: SiteOwner, id: string): Promise<PublishedResponse> {
    return this.runExclusively(owner, () =>
      this.options.store.lock.runShared(() => this.completeVersion(context, owner, id)),
    );
  }

  private async completeVersion(context: ChangeContext, owner: SiteOwner, id: string): Promise<PublishedResponse> {
    const version = await requireVersion(this.options.database.read, id);
    const contents = await readSiteContents(this.options.database.read, owner.id);
    const files = parseManifestFiles(version);
    if (version.state === 'ready') {
      const live = owner.versionId === id ? await this.options.rollout.waitForStatus(owner.id) : null;
      return { ...this.summarize(version, contents, files), warnings: [], live };
    }
    if (version.state === 'failed') throw new RuleError('conflict', messages.uploadExpired);
    const incoming = new IncomingContent(this.options.store, id);
    const missingDigests = await this.findMissingDigests(incoming, files, contents);
    if (missingDigests.length > 0)
      throw new RuleError('conflict', messages.missing(missingDigests.length), {
        details: missingDigests.slice(0, 20).join(', '),
      });
    const finishedPackage = await this.finishPackage(files, incoming.folder, contents);
    const readyVersion = await this.storeReady(context, owner, { version, files, finishedPackage });
    await incoming.remove();
    return {
      ...this.summarize(readyVersion, contents, files),
      warnings: limitWarnings(finishedPackage.warnings),
      live: version.activates ? await this.activate(context, owner, id) : null,
    };
  }

  /** Runs one publication of a site at a time in this process. @throws RuleError conflict during another publication */
  private async runExclusively<Result>({ id }: SiteOwner, work: () => Promise<Result>): Promise<Result> {
    if (this.busySites.has(id)) throw new RuleError('conflict', messages.publicationRunning);
    this.busySites.add(id);
    try {
      return await work();
    } finally {
      this.busySites.delete(id);
    }
  }

  private async finishPackage(
    files: readonly PackageEntry[],
    folder: string,
    { digestsByPath }: SiteContents,
  ): Promise<FinishedPackage> {
    const changedPaths = files
      .filter(({ path, sha256 }) => [...(digestsByPath.get(path) ?? [])].some((otherDigest) => otherDigest !== sha256))
      .map(({ path }) => path);
    const { dataDir } = this.options;
    return (await runPackageJob({ task: 'finish', dataDir, files, folder, changedPaths })).finishedPackage;
  }

  /**
   * Stores a version whose content is on the disk.
   * @throws RuleError notFound for a site or version that was removed while its content arrived
   */
  private storeReady(context: ChangeContext, owner: SiteOwner, receivedVersion: ReceivedVersion): Promise<SiteVersion> {
    return this.options.database.serializedWrite(context, async (manager) => {
      await this.options.owners[owner.kind].find(manager, owner.id, context.projects);
      return storeReadyVersion(manager, owner, receivedVersion);
    });
  }

  /** Activates a version in a second transaction, so that other machines pull the version before the site serves it. */
  private async activate(context: ChangeContext, owner: SiteOwner, id: string): Promise<RolloutStatus> {
    const { database, owners, exchange, rollout } = this.options;
    const isEverywhere = await exchange.waitForMachines(id);
    const activation = { owner, versionId: id, projectLimit: context.projects };
    await database.serializedWrite(context, (manager) => activateVersion(manager, owners, activation));
    return waitForRollout(rollout, owner.id, isEverywhere);
  }

  private summarize(version: SiteVersion, contents: SiteContents, files: readonly PackageEntry[]) {
    const { _id, number, state, bytes } = version;
    const reusedCount = files.filter(({ sha256 }) => contents.digests.has(sha256)).length;
    const previewUrl = createPreviewUrl(version, this.options.previewOrigin);
    return { _id, number, state, files: version.files, bytes, reused: reusedCount, previewUrl };
  }
}
