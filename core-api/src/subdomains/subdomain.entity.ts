import { Column, Entity } from 'typeorm';
import { Id, Instant } from '../database/columns';
import { plainText } from '../rules/plain-text';

export const subdomainTypes = ['proxy', 'static', 'tunnel'] as const;
export type SubdomainType = (typeof subdomainTypes)[number];

@Entity('subdomains')
export class Subdomain {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 63 })
  subdomain: string;

  @Column({ type: 'varchar', length: 500 })
  description: string;

  @Column({ type: 'varchar', length: 16 })
  type: SubdomainType;

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

  /** `searchTextOf` the row. */
  @Column({ type: 'text', default: '' })
  searchText: string;

  @Instant()
  createdAt: string;
}

/** What the list's search looks into: label and description, one per line, without case and diacritics. */
export const searchTextOf = ({ subdomain, description }: Pick<Subdomain, 'subdomain' | 'description'>): string =>
  plainText(`${subdomain}\n${description}`);
