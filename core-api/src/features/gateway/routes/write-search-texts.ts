import type { EntityManager } from 'typeorm';
import { chunks } from '../../../platform/collections/chunks';
import { createRouteSearchText, GatewayRoute } from './route.entity';

/** Writes the search texts of a service whose routes changed. The columns of `VALUES` are called column1, column2. */
export async function writeSearchTexts(manager: EntityManager, serviceId: string): Promise<void> {
  const columns = { _id: true, origin: true, destination: true, permission: true, searchText: true } as const;
  const rows = await manager.find(GatewayRoute, { select: columns, where: { serviceId } });
  for (const chunk of chunks(rows.filter((row) => row.searchText !== createRouteSearchText(row)))) {
    const placeholders = chunk.map((_row, index) => `($${2 * index + 1}, $${2 * index + 2})`);
    await manager.query(
      `UPDATE gateway_routes SET "searchText" = known.column2 FROM (VALUES ${placeholders.join(', ')}) AS known
        WHERE gateway_routes._id = known.column1`,
      chunk.flatMap((row) => [row._id, createRouteSearchText(row)]),
    );
  }
}
