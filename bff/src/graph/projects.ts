import { answer, done } from '../core/client';
import type { Resolvers } from './generated/resolvers';

export const projects: Resolvers = {
  Query: {
    projects: (_, _arguments, { core }) => answer(core.GET('/projects')),
  },
  Mutation: {
    createProject: (_, { input }, { core }) => answer(core.POST('/projects', { body: input })),
    updateProject: (_, { id, input }, { core }) =>
      answer(core.PUT('/projects/{id}', { params: { path: { id } }, body: input })),
    deleteProject: (_, { id }, { core }) => done(core.DELETE('/projects/{id}', { params: { path: { id } } })),
  },
};
