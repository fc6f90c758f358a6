import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { Audited, PartOf } from '../../../platform/audit/audited';
import { toSearchText } from '../../../platform/database/queries/search-text';
import { SearchedRow, Varchar } from '../../../platform/database/schema/columns';
import type { HttpMethod } from '../../../routing/http-method';

@Audited({ entity: 'route', name: 'origin', parts: { relation: 'methods', column: 'method' }, omit: ['searchText'] })
@Entity('gateway_routes')
export class GatewayRoute extends SearchedRow {
  @Varchar(36) serviceId: string;

  @ManyToOne('GatewayService', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'serviceId' })
  service: { _id: string; name: string };

  @Varchar(1024) origin: string;
  @Varchar(1024) destination: string;
  /** Empty only for a public route. */
  @Varchar(100) permission: string;
  /** A public route needs no key. */
  @Column('boolean', { default: false }) public: boolean;

  @OneToMany(
    () => GatewayRouteMethod,
    ({ route }) => route,
  )
  methods: GatewayRouteMethod[];
}

/** One method of a route. A unique index on method and canonical origin prevents two routes for the same request. */
@PartOf(() => GatewayRoute, 'routeId')
@Entity('gateway_route_methods')
export class GatewayRouteMethod {
  @PrimaryColumn('varchar', { length: 36 }) routeId: string;
  @PrimaryColumn('varchar', { length: 8 }) method: HttpMethod;
  /** `formatOriginKey` of the route's origin (`routing/routes/route-pattern.ts`). */
  @Varchar(1024) originKey: string;

  @ManyToOne(() => GatewayRoute, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'routeId' })
  route: GatewayRoute;
}

export const createRouteSearchText = (route: Pick<GatewayRoute, 'origin' | 'destination' | 'permission'>): string =>
  toSearchText([route.origin, route.destination, route.permission]);
