import { unwrap } from '../core/client';
import type { Resolvers } from './generated/resolvers';

/** A value as JSON text, because GraphQL has no type for arbitrary values. */
const toJsonText = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

export const audit: Resolvers = {
  Query: {
    audit: async (_, query, { core }) => {
      const { entries, names, total } = await unwrap(core.GET('/audit', { params: { query } }));
      return {
        entries: entries.map(({ changes, ...entry }) => ({
          ...entry,
          changes: Object.entries(changes).map(([field, { before, after }]) => ({
            field,
            before: toJsonText(before),
            after: toJsonText(after),
          })),
        })),
        names: Object.entries(names).map(([_id, name]) => ({ _id, name })),
        total,
      };
    },
  },
};
