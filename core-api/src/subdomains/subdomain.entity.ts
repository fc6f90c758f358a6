import { Column, Entity } from 'typeorm';
import { Audited } from '../database/audited';
import { Id, Instant, Version } from '../database/columns';
import { plainText } from '../rules/plain-text';
import type { TargetType } from '../rules/target';

@Audited({ entity: 'subdomain', name: 'subdomain', omit: ['searchText'] })
@Entity('subdomains')
export class Subdomain {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 63 })
  subdomain: string;

  @Column({ type: 'varchar', length: 500 })
  description: string;

  @Column({ type: 'varchar', length: 16 })
  type: TargetType;

  @Column({ type: 'integer', nullable: true })
  port: number | null;

  @Column({ type: 'varchar', length: 1024, nullable: true })
  staticPath: string | null;

  @Column({ type: 'integer', nullable: true })
  apiPort: number | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  targetHost: string | null;

  @Column({ type: 'integer', nullable: true })
  targetPort: number | null;

  /** Answers with a page that says so. */
  @Column({ type: 'boolean', default: false })
  paused: boolean;

  /** Its target is looked at regularly. */
  @Column({ type: 'boolean', default: true })
  healthCheck: boolean;

  /** `searchTextOf` the row. */
  @Column({ type: 'text', default: '' })
  searchText: string;

  @Instant()
  createdAt: string;

  @Version()
  version: number;
}

/** What the list's search looks into: label and description, one per line, without case and diacritics. */
export const searchTextOf = ({ subdomain, description }: Pick<Subdomain, 'subdomain' | 'description'>): string =>
  plainText(`${subdomain}\n${description}`);
