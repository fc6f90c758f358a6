import { Column, Entity } from 'typeorm';
import { Id, Instant } from '../../database/columns';

/** An upstream that the gateway forwards to. */
@Entity('gateway_services')
export class GatewayService {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 100 })
  name: string;

  /** http(s) address, may have a path, without a trailing slash. */
  @Column({ type: 'varchar', length: 255 })
  host: string;

  @Instant()
  createdAt: string;
}
