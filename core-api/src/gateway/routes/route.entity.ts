import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { Audited, PartOf } from '../../database/audited';
import { Id, Instant, Version } from '../../database/columns';
import type { HttpMethod } from '../../rules/http-method';

@Audited({ entity: 'route', name: 'origin', parts: { relation: 'methods', column: 'method' } })
@Entity('gateway_routes')
export class GatewayRoute {
  @Id()
  _id: string;

  @Column({ type: 'varchar', length: 36 })
  serviceId: string;

  @ManyToOne('GatewayService', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'serviceId' })
  service: { _id: string; name: string };

  @Column({ type: 'varchar', length: 1024 })
  origin: string;

  @Column({ type: 'varchar', length: 1024 })
  destination: string;

  /** Empty only where the route is public. */
  @Column({ type: 'varchar', length: 100 })
  permission: string;

  /** Needs no key. */
  @Column({ type: 'boolean', default: false })
  public: boolean;

  @OneToMany(
    () => GatewayRouteMethod,
    ({ route }) => route,
  )
  methods: GatewayRouteMethod[];

  @Instant()
  createdAt: string;

  @Version()
  version: number;
}

/** One method of a route. A unique index on method and canonical origin forbids two routes for one request. */
@PartOf(() => GatewayRoute, 'routeId')
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
