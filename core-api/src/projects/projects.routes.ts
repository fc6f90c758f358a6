import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../http/endpoint';
import { idParams } from '../http/fields';
import { projectAnswer, projectBody, projectChanges } from './projects.schema';
import type { ProjectsService } from './projects.service';

const tag = 'Projetos';

export const projectEndpoints = (projects: ProjectsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/projects',
    tag,
    summary: 'Lista os projetos por nome',
    status: 200,
    answer: z.array(projectAnswer),
    errors: [],
    run: () => projects.list(),
  }),
  endpoint({
    method: 'post',
    path: '/projects',
    tag,
    summary: 'Cria um projeto',
    body: projectBody,
    example: { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 },
    status: 201,
    answer: projectAnswer,
    errors: [409],
    run: ({ body }) => projects.create(body),
  }),
  endpoint({
    method: 'put',
    path: '/projects/:id',
    tag,
    summary: 'Altera um projeto',
    params: idParams,
    body: projectChanges,
    example: { name: 'CRM de vendas' },
    status: 200,
    answer: projectAnswer,
    errors: [404, 409],
    run: ({ params: { id }, body }) => projects.update(id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/projects/:id',
    tag,
    summary: 'Remove um projeto sem tenants',
    params: idParams,
    status: 204,
    answer: noContent,
    errors: [404, 409],
    run: ({ params: { id } }) => projects.remove(id),
  }),
];
