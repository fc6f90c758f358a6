import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { In } from 'typeorm';
import { recordConfigChange } from '../../platform/config-revisions/config-revisions';
import type { ChangeContext, Database } from '../../platform/database/database';
import { createFieldError, RuleError } from '../../platform/errors/rule-error';
import type { SiteType } from '../../platform/http/access/access';
import { ListPages } from '../../platform/http/lists/list-pages';
import { getSiteKey, type SiteParams } from '../../platform/http/site-paths';
import { DAY_MS } from '../../platform/time/relative-time';
import { createSitePassword } from '../accounts';
import type { RolloutService, RolloutStatus } from '../rollout';
import type { ContentExchange } from './content/content-exchange';
import type { ContentStore } from './content/content-store';
import { IncomingContent } from './content/incoming-content';
import { createPreviewUrl, type PreviewOrigin } from './preview-host';
import { removeVersions, type SiteOwner, type SiteOwnerStore } from './site-owner';
import { SiteVersion } from './site-version.entity';
import { siteMessages as messages } from './sites.messages';
import type { ChangesResponse, PreviewBody, VersionResponse } from './sites.schema';
import { compareWithPrevious } from './version-changes';
import { activateVersion, requireVersion } from './version-rows';

/** The relative path is the same from `src` and from `dist`. */
const DEPLOY_SCRIPT = join(__dirname, '../../../deploy.mjs');

const MAX_PREVIEW_MS = 366 * DAY_MS;

/** The fields of a version that a list shows. */
const LISTED_COLUMNS = {
  _id: true,
  number: true,
  state: true,
  files: true,
  bytes: true,
  message: true,
  actor: true,
  createdAt: true,
  pinned: true,
  previewHost: true,
  previewPasswordHash: true,
  previewExpiresAt: true,
} as const;

/** Dependencies of `SitesService` and `PublicationsService`. */
export interface SitesOptions {
  database: Database;
  rollout: Pick<RolloutService, 'waitForStatus'>;
  owners: Record<SiteType, SiteOwnerStore>;
  store: ContentStore;
  exchange: Pick<ContentExchange, 'isAvailable' | 'waitForMachines'>;
  previewOrigin: PreviewOrigin;
}

/** The kind of a site, and its label or id. */
export interface OwnerKey {
  readonly kind: SiteType;
  readonly key: string;
}

/** Versions of sites: lists, activation, previews (contract §8). */
export class SitesService {
  constructor(private readonly options: SitesOptions) {}

  /** Returns the program that publishes a folder, with the URL of this installation. */
  createDeployScript(): string {
    const { publicUrl } = this.options.previewOrigin;
    const script = readFileSync(DEPLOY_SCRIPT, 'utf8');
    return publicUrl ? script.replace("const DEFAULT_URL = '';", `const DEFAULT_URL = '${publicUrl}/api';`) : script;
  }

  /** Returns a site. @throws RuleError notFound, also for a site outside of the caller's projects */
  getOwner({ kind, key }: OwnerKey, context?: ChangeContext): Promise<SiteOwner> {
    return this.options.owners[kind].find(this.options.database.read, key, context?.projects);
  }

  /** Returns the site that the path of a call names. @throws RuleError notFound */
  async getOwnerByPath<Kind extends SiteType>(
    kind: Kind,
    { params, context }: { params: SiteParams; context: ChangeContext },
  ): Promise<SiteOwner & { kind: Kind }> {
    return { ...(await this.getOwner({ kind, key: getSiteKey(params) }, context)), kind };
  }

  /** Returns the site of a version. @throws RuleError notFound */
  async getOwnerOfVersion(id: string, context?: ChangeContext): Promise<SiteOwner> {
    const { ownerKind, ownerId } = await requireVersion(this.options.database.read, id);
    return this.getOwner({ kind: ownerKind, key: ownerId }, context);
  }

  /** Returns the manifest of a ready version as JSON; undefined if the version was removed. */
  async findManifest(id: string): Promise<string | undefined> {
    return (await this.options.database.read.findOneBy(SiteVersion, { _id: id }))?.manifest;
  }

  /** Lists the files that differ from the previous version. @throws RuleError notFound, conflict if incomplete */
  async findChanges(id: string): Promise<ChangesResponse> {
    const version = await requireVersion(this.options.database.read, id);
    if (version.state !== 'ready') throw new RuleError('conflict', messages.notReady);
    return compareWithPrevious(this.options.database.read, version);
  }

  /** Lists versions, the newest first. Their manifests are not read, because a site may have thousands of versions. */
  async list(owner: SiteOwner): Promise<ListPages> {
    const { report } = this.options.database;
    const where = { ownerId: owner.id };
    const versions = await report.find(SiteVersion, { select: { _id: true }, where, order: { number: 'DESC' } });
    const ids = versions.map(({ _id }) => _id);
    return new ListPages({ ids, total: ids.length, fields: undefined }, async (page) => {
      const rows = await report.find(SiteVersion, { select: LISTED_COLUMNS, where: { _id: In(page) } });
      return rows.map((row) => this.toResponse(row, getCurrentId(owner), null));
    });
  }

  /** Makes the site serve a newer or older version. @throws RuleError conflict for an incomplete version */
  async activate(context: ChangeContext, owner: SiteOwner, id: string): Promise<VersionResponse> {
    if (!owner.isStatic) throw new RuleError('invalid', messages.notStatic);
    const stored = await requireVersion(this.options.database.read, id);
    if (stored.state !== 'ready') throw new RuleError('conflict', messages.notReady);
    if (!(await this.options.exchange.isAvailable(stored))) throw new RuleError('conflict', messages.contentMissing);
    const isEverywhere = await this.options.exchange.waitForMachines(id);
    const version = await this.options.database.serializedWrite(context, (manager) =>
      activateVersion(manager, this.options.owners, { owner, versionId: id, projectLimit: context.projects }),
    );
    return this.toResponse(version, id, await waitForRollout(this.options.rollout, owner.id, isEverywhere));
  }

  async setPreview(
    context: ChangeContext,
    id: string,
    { expiresAt, pinned, password }: PreviewBody,
  ): Promise<VersionResponse> {
    if (expiresAt !== undefined) {
      const remainingMs = Date.parse(expiresAt) - Date.now();
      if (!(remainingMs > 0 && remainingMs <= MAX_PREVIEW_MS))
        throw createFieldError('invalid', 'expiresAt', messages.previewEnd);
    }
    const owner = await this.getOwnerOfVersion(id);
    const passwordColumns = await toPasswordColumns(password);
    const version = await this.options.database.serializedWrite(context, async (manager) => {
      const stored = await requireVersion(manager, id);
      const previewExpiresAt =
        expiresAt === undefined ? stored.previewExpiresAt : new Date(Date.parse(expiresAt)).toISOString();
      const changes = { previewExpiresAt, pinned: pinned ?? stored.pinned, ...passwordColumns };
      await manager.update(SiteVersion, { _id: id }, changes);
      await recordConfigChange(manager, 'version', id);
      return { ...stored, ...changes };
    });
    return this.toResponse(version, getCurrentId(owner), null);
  }

  /** Removes a version. @throws RuleError notFound; conflict for the version that was activated last */
  async remove(context: ChangeContext, owner: SiteOwner, id: string): Promise<void> {
    await this.options.database.serializedWrite(context, async (manager) => {
      await requireVersion(manager, id);
      const { versionId } = await this.options.owners[owner.kind].find(manager, owner.id, context.projects);
      if (versionId === id) throw new RuleError('conflict', messages.versionIsLive);
      await removeVersions(manager, [id]);
    });
    await new IncomingContent(this.options.store, id).remove();
  }

  private toResponse(
    version: Pick<SiteVersion, keyof typeof LISTED_COLUMNS>,
    currentId: string | null,
    live: RolloutStatus | null,
  ): VersionResponse {
    const { previewHost, previewPasswordHash, ...fields } = version;
    const previewUrl = createPreviewUrl({ previewHost }, this.options.previewOrigin);
    const isCurrent = version._id === currentId;
    return { ...fields, current: isCurrent, previewUrl, previewHasPassword: previewPasswordHash !== null, live };
  }
}

/** Returns the rollout status; `pending` without waiting if a machine lacks the version (`isEverywhere` is false). */
export const waitForRollout = (
  rollout: SitesOptions['rollout'],
  ownerId: string,
  isEverywhere: boolean,
): RolloutStatus | Promise<RolloutStatus> =>
  isEverywhere ? rollout.waitForStatus(ownerId) : { state: 'pending', reason: messages.lateMachines };

/** Returns the changed columns. Null or an empty text removes the password; undefined leaves it as it is. */
async function toPasswordColumns(password: string | null | undefined) {
  if (password === undefined) return {};
  if (!password) return { previewPasswordHash: null, previewPasswordKey: null };
  const { passwordHash, passwordKey } = await createSitePassword(password);
  return { previewPasswordHash: passwordHash, previewPasswordKey: passwordKey };
}

const getCurrentId = ({ servesVersion, versionId }: SiteOwner): string | null => (servesVersion ? versionId : null);
