import { ifMatch, unwrap } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';

export const backups: Resolvers = {
  Query: {
    backupPlan: (_, _arguments, { core }) => unwrap(core.GET('/backup-plan')),
    backups: (_, query, { core }) => unwrap(core.GET('/backups', { params: { query } })),
  },
  Mutation: {
    updateBackupPlan: (_, { input, version }, { core }) =>
      unwrap(core.PUT('/backup-plan', { params: { header: ifMatch(version) }, body: input })),
    startBackup: async (_, _arguments, { core }) => (await unwrap(core.POST('/backups')))._id,
    verifyBackup: async (_, { id }, { core }) =>
      (await unwrap(core.POST('/backups/{id}/verify', { params: { path: { id } } })))._id,
  },
};
