import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { Id, Instant } from '../../database/columns';
import { GatewayService } from '../services/service.entity';

export const httpMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;
export type HttpMethod = (typeof httpMethods)[number];

@Entity('gateway_routes')
export class GatewayRoute {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 36 })
  serviceId: string;

  @ManyToOne(() => GatewayService, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'serviceId' })
  service: GatewayService;

  @Column({ type: 'varchar', length: 1024 })
  origin: string;

  @Column({ type: 'varchar', length: 1024 })
  destination: string;

  @Column({ type: 'varchar', length: 100 })
  permission: string;

  @OneToMany(
    () => GatewayRouteMethod,
    ({ route }) => route,
  )
  methods: GatewayRouteMethod[];

  @Instant()
  createdAt: string;
}

/** One method of a route: the unique pair of method and canonical origin is what keeps two routes apart. */
@Entity('gateway_route_methods')
export class GatewayRouteMethod {
  @PrimaryColumn({ type: 'varchar', length: 36 })
  routeId: string;

  @PrimaryColumn({ type: 'varchar', length: 8 })
  method: HttpMethod;

  /** `originKey` of the route's origin (rules/route-pattern). */
  @Column({ type: 'varchar', length: 1024 })
  originKey: string;

  @ManyToOne(
    () => GatewayRoute,
    ({ methods }) => methods,
    { onDelete: 'CASCADE' },
  )
  @JoinColumn({ name: 'routeId' })
  route: GatewayRoute;
}
