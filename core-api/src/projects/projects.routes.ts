import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../http/endpoint';
import { idParams } from '../http/fields';
import { projectBody, projectChanges, projectResponse } from './projects.schema';
import type { ProjectsService } from './projects.service';

const tag = 'Projetos';

export const projectEndpoints = (projects: ProjectsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/projects',
    tag,
    summary: 'Lista os projetos por nome',
    status: 200,
    response: z.array(projectResponse),
    errorStatuses: [],
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
    response: projectResponse,
    errorStatuses: [409],
    run: ({ context, body }) => projects.create(context, body),
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
    response: projectResponse,
    errorStatuses: [404, 409],
    ifMatch: true,
    run: ({ context, params: { id }, body }) => projects.update(context, id, body),
  }),
  endpoint({
    method: 'delete',
    path: '/projects/:id',
    tag,
    summary: 'Remove um projeto sem tenants',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404, 409],
    run: ({ context, params: { id } }) => projects.remove(context, id),
  }),
];
