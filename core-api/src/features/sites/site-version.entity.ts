import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Audited } from '../../platform/audit/audited';
import { Counter, CreatedRow, Id, Instant, Varchar } from '../../platform/database/schema/columns';
import type { SiteType } from '../../platform/http/access/access';

/** `receiving`: files are sent one by one; `failed`: the version was not completed within 24 h. */
export const versionStates = ['receiving', 'ready', 'failed'] as const;
export type VersionState = (typeof versionStates)[number];

/** The files of a site at one time. After the version is ready, only the preview and `pinned` change. */
@Audited({
  entity: 'version',
  name: 'name',
  secret: ['previewPasswordHash'],
  omit: ['manifest', 'manifestDigest', 'ownerKind', 'previewHost', 'actor', 'activates', 'previewPasswordKey'],
})
@Entity('site_versions')
export class SiteVersion extends CreatedRow {
  @Varchar(12) ownerKind: SiteType;
  @Varchar(36) ownerId: string;
  /** Number of the version. Each owner's versions are counted from 1. */
  @Column('integer') number: number;
  @Varchar(12) state: VersionState;
  /** Whether the version is activated as soon as it is complete. */
  @Column('boolean', { default: true }) activates: boolean;
  /** The owner's name with the number, for the audit trail. */
  @Varchar(255) name: string;
  /** `SiteManifest` as JSON; while files are being sent, without types and rules. */
  @Column('text') manifest: string;
  /**
   * SHA-256 of `manifest`, which is also stored under this digest in the content store; null until the version is
   * ready.
   */
  @Varchar(64, { nullable: true }) manifestDigest: string | null;
  @Column('integer') files: number;
  @Counter() bytes: number;
  /** The publisher's description of the version. */
  @Varchar(500, { nullable: true }) message: string | null;
  @Varchar(100) actor: string;
  /** Pinned versions are kept by garbage collection. */
  @Column('boolean', { default: false }) pinned: boolean;
  /** Label of the version's preview below `SITES_DOMAIN`. */
  @Varchar(63, { nullable: true }) previewHost: string | null;
  @Varchar(255, { nullable: true }) previewPasswordHash: string | null;
  /** Key of the cookies of the preview's password form, in hexadecimal. */
  @Varchar(64, { nullable: true }) previewPasswordKey: string | null;
  @Instant({ nullable: true }) previewExpiresAt: string | null;
}

/** An activation: the site serves the version from this instant. */
@Entity('site_activations')
export class SiteActivation {
  @Id() _id: string;
  @Varchar(12) ownerKind: SiteType;
  @Varchar(36) ownerId: string;
  @Varchar(36) versionId: string;
  @Instant() at: string;
}

/** A URL that accepts one publication of one site (contract §8). */
@Entity('site_uploads')
export class SiteUpload {
  /** SHA-256 of the secret in the URL. */
  @PrimaryColumn('varchar', { length: 64 }) digest: string;
  @Varchar(12) ownerKind: SiteType;
  @Varchar(36) ownerId: string;
  /** The account that requested the URL. Its rights are read again at each use. */
  @Varchar(36) accountId: string;
  @Column('boolean') activates: boolean;
  @Varchar(500, { nullable: true }) message: string | null;
  /** Time of the first use. */
  @Instant({ nullable: true }) usedAt: string | null;
  /** The version that receives its files one by one at this URL; null for a package in one request. */
  @Varchar(36, { nullable: true }) versionId: string | null;
  @Instant() expiresAt: string;
}
