import { hash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { permitsProject } from '../../platform/database/changes/change-context';
import { CALL_BUDGET_MS, withTimeBudget } from '../../platform/database/connection/deadline';
import type { ChangeContext, Database } from '../../platform/database/database';
import { catchRuleError, RuleError } from '../../platform/errors/rule-error';
import type { Principal } from '../../platform/http/access/authentication';
import { HOUR_MS, toIsoFromNow } from '../../platform/time/relative-time';
import { type AccountsService, toPrincipal } from '../accounts';
import type { PackageStream, PublicationsService } from './publications.service';
import type { SiteOwner } from './site-owner';
import { SiteUpload } from './site-version.entity';
import { siteMessages as messages } from './sites.messages';
import type { PublishedResponse, UploadBody, UploadResponse } from './sites.schema';
import type { SitesService } from './sites.service';

const LIFETIME_MS = HOUR_MS;
/** 256 bits: 43 base64url characters, as `uploadParams` requires. */
const SECRET_BYTES = 32;
/** Maximum number of unused upload URLs of one account, so that one person cannot fill the database. */
const MAX_OPEN_UPLOADS = 200;

const createUploadNotFound = (): RuleError => new RuleError('notFound', messages.uploadGone);

type UploadRequest = Pick<ChangeContext, 'requestId' | 'address'>;

/** Upload URLs (contract §8). Each URL accepts one publication, without a token of the REST API. */
export class UploadsService {
  constructor(
    private readonly database: Database,
    private readonly sites: SitesService,
    private readonly publications: PublicationsService,
    private readonly accounts: Pick<AccountsService, 'findById'>,
  ) {}

  /** Creates an upload URL that is valid for an hour. @throws RuleError invalid, conflict */
  async create(
    owner: SiteOwner,
    { _id: accountId }: Pick<Principal, '_id'>,
    { activate, message }: UploadBody,
  ): Promise<UploadResponse> {
    if (!owner.isStatic) throw new RuleError('invalid', messages.notStatic);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const expiresAt = toIsoFromNow(LIFETIME_MS);
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
      if ((await manager.countBy(SiteUpload, openUploads)) >= MAX_OPEN_UPLOADS)
        throw new RuleError('conflict', messages.uploadsOpen(MAX_OPEN_UPLOADS));
      await manager.insert(SiteUpload, row);
    });
    return { path: `/api/uploads/${secret}`, expiresAt };
  }

  /** Receives the package or the list of files, once. @throws RuleError notFound, and the errors of a publication */
  async publish(secret: string, request: UploadRequest, packageStream: PackageStream): Promise<PublishedResponse> {
    const digest = hash('sha256', secret);
    const now = new Date().toISOString();
    // A publication has a longer time budget, but an outage of the database must be noticed within the usual time.
    const { affected } = await withTimeBudget(CALL_BUDGET_MS, () =>
      this.database.concurrentWrite((manager) =>
        manager.update(SiteUpload, { digest, usedAt: IsNull(), expiresAt: MoreThan(now) }, { usedAt: now }),
      ),
    );
    if (affected !== 1) throw createUploadNotFound();
    const { upload, owner, context } = await this.authorize(digest, request);
    const publishedVersion = await this.publications.publish(context, owner, packageStream, {
      activate: upload.activates,
      message: upload.message ?? undefined,
    });
    if (publishedVersion.state === 'receiving') {
      await this.database.concurrentWrite((manager) =>
        manager.update(SiteUpload, { digest }, { versionId: publishedVersion._id }),
      );
    }
    return publishedVersion;
  }

  /** Receives a file of the list. @throws RuleError notFound, and the errors of a publication */
  async receiveContent(secret: string, request: UploadRequest, sha256: string, body: Readable): Promise<void> {
    const { upload } = await this.authorize(hash('sha256', secret), request);
    if (upload.versionId === null) throw createUploadNotFound();
    await this.publications.receiveContent(upload.versionId, sha256, body);
  }

  /** Completes the version of the list. @throws RuleError notFound, also without a list, and errors of a publication */
  async complete(secret: string, request: UploadRequest): Promise<PublishedResponse> {
    const { upload, owner, context } = await this.authorize(hash('sha256', secret), request);
    if (upload.versionId === null) throw createUploadNotFound();
    return this.publications.complete(context, owner, upload.versionId);
  }

  private async authorize(digest: string, request: UploadRequest) {
    // A publication has a longer time budget, but an outage of the database must be noticed within the usual time.
    const { upload, uploader } = await withTimeBudget(CALL_BUDGET_MS, () =>
      this.requireUploader(this.database.read, digest),
    );
    if (Date.parse(upload.expiresAt) <= Date.now()) throw createUploadNotFound();
    const owner = await this.sites.getOwner({ kind: upload.ownerKind, key: upload.ownerId });
    requireProject(uploader, owner);
    const checkRights = (manager: EntityManager) =>
      catchRuleError(async () => requireProject((await this.requireUploader(manager, digest)).uploader, owner));
    const context = { ...request, actor: uploader.username, projects: uploader.projects, checkRights };
    return { upload, owner, context };
  }

  /** Reads the account's rights again, because they may have changed since the upload URL was created. */
  private async requireUploader(manager: EntityManager, digest: string) {
    const upload = await manager.findOneBy(SiteUpload, { digest });
    const account = upload && (await this.accounts.findById(upload.accountId, manager));
    if (!account || account.role === 'viewer') throw createUploadNotFound();
    return { upload, uploader: toPrincipal(account) };
  }
}

/** Checks the projects of the uploader. @throws RuleError notFound for a site outside of these projects */
function requireProject({ projects }: Pick<Principal, 'projects'>, { projectId }: SiteOwner): void {
  if (!permitsProject(projects, projectId)) throw createUploadNotFound();
}

/** Removes the upload URLs of an account, in the transaction that ends every session of the account. */
export async function removeUploads(manager: EntityManager, accountId: string): Promise<void> {
  await manager.delete(SiteUpload, { accountId });
}
