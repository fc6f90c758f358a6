import { ifMatch, type RestSchemas, unwrap, unwrapVoid } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';

/** REST omits the `label` of a project; the graph has null. */
const toGraphToken = <Token extends Pick<RestSchemas['ApiToken'], 'site'>>({ site, ...token }: Token) => ({
  ...token,
  site: site && { ...site, label: site.label ?? null },
});

export const tokens: Resolvers = {
  Query: {
    tokens: async (_, query, { core }) => (await unwrap(core.GET('/tokens', { params: { query } }))).map(toGraphToken),
  },
  Mutation: {
    createToken: async (_, { input }, { core }) =>
      toGraphToken(await unwrap(core.POST('/tokens', { body: { ...input, expiresAt: input.expiresAt ?? null } }))),
    updateToken: async (_, { id, input, version }, { core }) =>
      toGraphToken(
        await unwrap(core.PUT('/tokens/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input })),
      ),
    rotateToken: async (_, { id, graceSeconds }, { core }) =>
      toGraphToken(
        await unwrap(core.POST('/tokens/{id}/rotate', { params: { path: { id } }, body: { graceSeconds } })),
      ),
    deleteToken: (_, { id }, { core }) => unwrapVoid(core.DELETE('/tokens/{id}', { params: { path: { id } } })),
  },
};
