import type { EntityManager, FindOptionsRelations, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import { RuleError } from '../../errors/rule-error';

/** Returns the row that matches `where`. @throws RuleError notFound with `message` */
export async function requireRow<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: new () => Row,
  where: FindOptionsWhere<Row> | FindOptionsWhere<Row>[],
  message: string,
  relations: FindOptionsRelations<Row> = {},
): Promise<Row> {
  const row = await manager.findOne(entity, { where, relations });
  if (!row) throw new RuleError('notFound', message);
  return row;
}
