import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import { z } from 'zod';
import { withTimeBudget } from '../../database/connection/deadline';
import { integerParameter } from './paging';

/** Rows per page of a list that is streamed. */
const PAGE_ROWS = 100;
const MAX_LIMIT = 1_000;
const MAX_SEARCH = 200;
/** Largest value of `wholeUpTo`. */
const MAX_WHOLE = 2_000;

/** A list as the result of an endpoint. `sendList` reads its rows from the database and sends them in pages. */
export class ListPages {
  constructor(
    readonly list: { ids: readonly string[]; total: number; fields: readonly string[] | undefined },
    /** Returns the rows of the given ids, in any order. */
    readonly load: (ids: string[]) => Promise<readonly { _id: string }[]>,
  ) {}
}

/**
 * Sends a list in pages, so that a long list does not delay other calls. `X-Total-Count` has the number of rows that
 * match the query. The first page is read before the header, so that a failing database is answered with 503.
 */
export async function sendList(
  response: Response,
  pages: ListPages,
  schema: z.ZodType,
  budgetMs: number,
): Promise<void> {
  const { ids, total, fields } = pages.list;
  const item = getItemSchema(schema, fields);
  const readPage = async (start: number) => {
    const rows = await withTimeBudget(budgetMs, () => loadInOrder(pages, ids.slice(start, start + PAGE_ROWS)));
    return rows.map((row) => JSON.stringify(item.parse(row)));
  };
  const firstPage = await readPage(0);
  response.set('X-Total-Count', String(total)).type('json');
  if (ids.length <= PAGE_ROWS) {
    response.send(`[${firstPage.join(',')}]`);
    return;
  }
  response.write(`[${firstPage.join(',')}`);
  for (let start = PAGE_ROWS; start < ids.length; start += PAGE_ROWS) {
    await nextTurn();
    // No further page is read after the caller has disconnected.
    if (response.destroyed) return;
    const rows = await readPage(start);
    if (rows.length === 0) continue;
    if (!response.write(`,${rows.join(',')}`) && !response.destroyed) await waitForDrain(response);
  }
  response.end(']');
}

/** Returns the rows in the order of their ids, without rows that were removed meanwhile. */
async function loadInOrder({ load }: ListPages, ids: string[]): Promise<unknown[]> {
  const rows = new Map((ids.length > 0 ? await load(ids) : []).map((row) => [row._id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

const waitForDrain = (response: Response) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });

function getItemSchema(schema: z.ZodType, fields: readonly string[] | undefined): z.ZodType {
  const item = schema instanceof z.ZodArray ? schema.element : undefined;
  if (!(item instanceof z.ZodObject)) throw new Error('a list needs the schema of an array of objects');
  if (!fields) return item;
  const shape: Record<string, z.ZodType> = item.shape;
  return z.object(Object.fromEntries(fields.flatMap((name) => (shape[name] ? [[name, shape[name]]] : []))));
}

/**
 * Creates the query schema of a list. A list of up to `wholeUpTo` rows ignores `limit`. `after` is the `_id` of the
 * last row of the previous page.
 * @param item schema of a row, whose fields may be chosen
 */
export function listQuery(item: z.ZodObject) {
  const names = Object.keys(item.shape);
  const pattern = new RegExp(`^(?:${names.join('|')})(?:,(?:${names.join('|')}))*$`);
  return z.object({
    search: z.string().trim().max(MAX_SEARCH).optional(),
    limit: integerParameter(MAX_LIMIT).optional(),
    wholeUpTo: integerParameter(MAX_WHOLE).optional(),
    order: z.enum(['asc', 'desc'], 'A ordem é asc ou desc.').default('asc'),
    after: z.uuid('Informe o _id da última linha.').optional(),
    fields: z
      .string()
      .regex(pattern, `Os campos são: ${names.join(', ')}.`)
      .transform((text) => [...new Set(['_id', ...text.split(',')])])
      .optional()
      .meta({ override: { type: 'string', pattern: undefined }, description: 'Campos separados por vírgulas' }),
  });
}

export type ListQuery = z.output<ReturnType<typeof listQuery>>;

/** Query parameter for the column by which a list is sorted. */
export const sortBy = <const Columns extends readonly [string, ...string[]]>(columns: Columns) =>
  z.enum(columns, `Ordene por ${columns.join(', ')}.`);

export const toSqlDirection = ({ order }: Pick<ListQuery, 'order'>): 'ASC' | 'DESC' =>
  order === 'asc' ? 'ASC' : 'DESC';

export const selectsField = ({ fields }: Pick<ListQuery, 'fields'>, field: string): boolean =>
  fields === undefined || fields.includes(field);
