import { ifMatch, unwrap, unwrapOrNull, unwrapPage, unwrapVoid } from '../../core/client';
import type { Resolvers } from '../generated/resolvers';
import { getSelectedFields } from './selected-fields';

export const projects: Resolvers = {
  Query: {
    projects: (_, query, { core }, info) =>
      unwrap(core.GET('/projects', { params: { query: { ...query, fields: getSelectedFields(info) } } })),
    projectPage: async (_, query, { core }, info) => {
      const fields = getSelectedFields(info, 'projects');
      const { rows, total } = await unwrapPage(core.GET('/projects', { params: { query: { ...query, fields } } }));
      return { projects: rows, total };
    },
    project: (_, { id }, { core }) => unwrapOrNull(core.GET('/projects/{id}', { params: { path: { id } } })),
  },
  Mutation: {
    createProject: (_, { input }, { core }) => unwrap(core.POST('/projects', { body: input })),
    updateProject: (_, { id, input, version }, { core }) =>
      unwrap(core.PUT('/projects/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input })),
    deleteProject: (_, { id }, { core }) => unwrapVoid(core.DELETE('/projects/{id}', { params: { path: { id } } })),
  },
};
