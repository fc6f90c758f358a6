import { hash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { permitsProject } from '../../platform/database/change-context';
import type { ChangeContext, Database } from '../../platform/database/database';
import { CALL_BUDGET_MS, withTimeBudget } from '../../platform/database/deadline';
import { catchRuleError, RuleError } from '../../platform/errors';
import type { Principal } from '../../platform/http/authentication';
import { isoIn } from '../../platform/time/iso-in';
import { HOUR_MS } from '../../platform/time/units';
import type { PublicationsService, Upload } from './publications.service';
import type { SiteOwner } from './site-owner';
import { SiteUpload } from './site-version.entity';
import { siteMessages as messages } from './sites.messages';
import type { PublishedResponse, UploadBody, UploadResponse } from './sites.schema';
import type { SitesService } from './sites.service';

const LIFETIME_MS = HOUR_MS;
const SECRET_BYTES = 32;
/** Maximum number of open addresses of one account, so that one person cannot fill the database. */
const MAX_OPEN = 200;

const createUploadNotFound = (): RuleError => new RuleError('notFound', messages.uploadGone);

/** The rights of an account when it uses an address. */
type Uploader = Pick<Principal, 'username' | 'role' | 'projects'>;

/** Returns undefined for a removed account. */
export type FindUploader = (manager: EntityManager, accountId: string) => Promise<Uploader | undefined>;

/** The request that uses an address. */
type UploadRequest = Pick<ChangeContext, 'requestId' | 'address'>;

/**
 * One-time addresses for a publication, so that a browser can send a package without the REST API's token (contract
 * §8).
 */
export class UploadsService {
  constructor(
    private readonly database: Database,
    private readonly services: { sites: SitesService; publications: PublicationsService },
    private readonly findUploader: FindUploader,
  ) {}

  /** Creates an address that is valid for an hour. @throws RuleError invalid, conflict */
  async create(
    owner: SiteOwner,
    { _id: accountId }: Pick<Principal, '_id'>,
    { activate, message }: UploadBody,
  ): Promise<UploadResponse> {
    if (!owner.isStatic) throw new RuleError('invalid', messages.notStatic);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const expiresAt = isoIn(LIFETIME_MS);
    const row: SiteUpload = {
      digest: hash('sha256', secret),
      ownerKind: owner.kind,
      ownerId: owner.id,
      accountId,
      activates: activate,
      message: message || null,
      usedAt: null,
      versionId: null,
      expiresAt,
    };
    await this.database.concurrentWrite(async (manager) => {
      const openUploads = { accountId, usedAt: IsNull(), expiresAt: MoreThan(new Date().toISOString()) };
      if ((await manager.countBy(SiteUpload, openUploads)) >= MAX_OPEN)
        throw new RuleError('conflict', messages.uploadsOpen(MAX_OPEN));
      await manager.insert(SiteUpload, row);
    });
    return { path: `/api/uploads/${secret}`, expiresAt };
  }

  /** Receives the package or the list of files, once. @throws RuleError notFound, and what a publication throws */
  async publish(secret: string, use: UploadRequest, upload: Upload): Promise<PublishedResponse> {
    const digest = hash('sha256', secret);
    const now = new Date().toISOString();
    const { affected } = await withTimeBudget(CALL_BUDGET_MS, () =>
      this.database.concurrentWrite((manager) =>
        manager.update(SiteUpload, { digest, usedAt: IsNull(), expiresAt: MoreThan(now) }, { usedAt: now }),
      ),
    );
    if (affected !== 1) throw createUploadNotFound();
    const { upload: row, owner, context } = await this.admit(digest, use);
    const { activates: activate, message } = row;
    const published = await this.services.publications.publish(context, owner, upload, {
      activate,
      message: message ?? undefined,
    });
    if (published.state === 'receiving') {
      await this.database.concurrentWrite((manager) =>
        manager.update(SiteUpload, { digest }, { versionId: published._id }),
      );
    }
    return published;
  }

  /** An address without a list of files is not found. @throws RuleError notFound, or of the publication */
  async receiveContent(secret: string, use: UploadRequest, sha256: string, body: Readable): Promise<void> {
    const { upload } = await this.admit(hash('sha256', secret), use);
    if (upload.versionId === null) throw createUploadNotFound();
    await this.services.publications.receiveContent(upload.versionId, sha256, body);
  }

  /** An address without a list of files is not found. @throws RuleError notFound, or of the publication */
  async complete(secret: string, use: UploadRequest): Promise<PublishedResponse> {
    const { upload, owner, context } = await this.admit(hash('sha256', secret), use);
    if (upload.versionId === null) throw createUploadNotFound();
    return this.services.publications.complete(context, owner, upload.versionId);
  }

  private async admit(digest: string, use: UploadRequest) {
    // A publication has a longer time budget, but an outage of the database must be noticed within the usual time.
    const { upload, uploader } = await withTimeBudget(CALL_BUDGET_MS, () =>
      this.requireUploader(this.database.read, digest),
    );
    if (Date.parse(upload.expiresAt) <= Date.now()) throw createUploadNotFound();
    const owner = await this.services.sites.findOwner({ kind: upload.ownerKind, key: upload.ownerId });
    const { username: actor, projects } = uploader;
    requireProject(uploader, owner);
    const checkRights = (manager: EntityManager) =>
      catchRuleError(async () => requireProject((await this.requireUploader(manager, digest)).uploader, owner));
    return { upload, owner, context: { ...use, actor, projects, checkRights } };
  }

  /** Reads the account's rights again, because they may have changed since the address was created. */
  private async requireUploader(manager: EntityManager, digest: string) {
    const upload = await manager.findOneBy(SiteUpload, { digest });
    const uploader = upload && (await this.findUploader(manager, upload.accountId));
    if (!upload || !uploader || uploader.role === 'viewer') throw createUploadNotFound();
    return { upload, uploader };
  }
}

/** A site of another project is not found. @throws RuleError notFound */
function requireProject({ projects }: Uploader, { projectId }: SiteOwner): void {
  if (projects && (projectId === null || !permitsProject(projects, projectId))) throw createUploadNotFound();
}

/** Called in the transaction that ends every session of an account. */
export async function removeUploads(manager: EntityManager, accountId: string): Promise<void> {
  await manager.delete(SiteUpload, { accountId });
}
