import { unwrap } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const overview: Resolvers = {
  Query: {
    overview: async (_, _arguments, { core }) => {
      const overview = await unwrap(core.GET('/overview'));
      return { ...overview, recentServerErrors: overview.faults, serverErrorHosts: overview.serverErrors };
    },
  },
};
