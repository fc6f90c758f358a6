import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Counter, Instant } from '../../../platform/database/schema/columns';

/** Content that a version refers to or recently referred to. */
@Entity('content')
export class Content {
  /** SHA-256 in hexadecimal. */
  @PrimaryColumn('varchar', { length: 64 }) digest: string;
  @Counter() size: number;
  /** Time of the last publication that contained the content. */
  @Instant() seenAt: string;
}

/** Content in parts of up to 1 MiB, which other machines pull from PostgreSQL. */
@Entity('content_parts')
export class ContentPart {
  /** Name in the content store: a digest, with `.br` or `.gz` for a compressed copy. */
  @PrimaryColumn('varchar', { length: 67 }) name: string;
  @PrimaryColumn('integer') part: number;
  /** Base64. */
  @Column('text') bytes: string;
}

/** A machine whose disk has all content of a version. */
@Entity('content_holders')
export class ContentHolder {
  @PrimaryColumn('varchar', { length: 36 }) versionId: string;
  @PrimaryColumn('varchar', { length: 36 }) machineId: string;
}

/** A machine whose core pulls content. Each core writes its own row every second. */
@Entity('content_machines')
export class ContentMachine {
  @PrimaryColumn('varchar', { length: 36 }) machineId: string;
  @Instant() seenAt: string;
}
