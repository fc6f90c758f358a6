import { domainToUnicode } from 'node:url';
import { unwrap } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';

/** A value as JSON text, because GraphQL has no type for arbitrary values. */
const toJsonText = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

/** Returns each punycode host of a text with its Unicode name, which the console shows instead. */
const findUnicodeHosts = (text: string): [string, string][] =>
  (text.match(/(?<![\w*.-])[\w*.-]*xn--[\w.-]+/g) ?? []).map((host) => [host, domainToUnicode(host)]);

export const audit: Resolvers = {
  Query: {
    audit: async (_, query, { core }) => {
      const { entries, names, total } = await unwrap(core.GET('/audit', { params: { query } }));
      const hosts = findUnicodeHosts(JSON.stringify(entries));
      return {
        entries: entries.map(({ changes, ...entry }) => ({
          ...entry,
          changes: Object.entries(changes).map(([field, { before, after }]) => ({
            field,
            before: toJsonText(before),
            after: toJsonText(after),
          })),
        })),
        names: [...Object.entries(names), ...hosts].map(([_id, name]) => ({ _id, name })),
        total,
      };
    },
  },
};
