import { unwrap } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';

export const overview: Resolvers = {
  Query: {
    overview: async (_, _arguments, { core }) => {
      const restOverview = await unwrap(core.GET('/overview'));
      return { ...restOverview, recentServerErrors: restOverview.faults, serverErrorHosts: restOverview.serverErrors };
    },
  },
};
