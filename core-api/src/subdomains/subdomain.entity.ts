import { Column, Entity } from 'typeorm';
import { Id, Instant } from '../database/columns';

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

  @Instant()
  createdAt: string;
}
