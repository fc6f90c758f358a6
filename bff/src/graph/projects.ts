import { bodyOf, ifMatch, succeeded } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const projects: Resolvers = {
  Query: {
    projects: (_, _arguments, { core }) => bodyOf(core.GET('/projects')),
  },
  Mutation: {
    createProject: (_, { input }, { core }) => bodyOf(core.POST('/projects', { body: input })),
    updateProject: (_, { id, input, version }, { core }) =>
      bodyOf(core.PUT('/projects/{id}', { params: { path: { id }, header: ifMatch(version) }, body: input })),
    deleteProject: (_, { id }, { core }) => succeeded(core.DELETE('/projects/{id}', { params: { path: { id } } })),
  },
};
