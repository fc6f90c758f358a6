import { z } from 'zod';
import { type Endpoint, endpoint, noContent } from '../../platform/http/endpoint';
import { idParams } from '../../platform/http/fields';
import { projectBody, projectChanges, projectQuery, projectResponse } from './projects.schema';
import type { ProjectsService } from './projects.service';

const tag = 'Projetos';

export const projectEndpoints = (projects: ProjectsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/projects',
    access: { role: 'viewer', scope: 'projects:read', project: true },
    tag,
    summary: 'Lista os projetos por nome',
    query: projectQuery,
    status: 200,
    response: z.array(projectResponse),
    errorStatuses: [],
    run: ({ principal, query }) => projects.listPages(principal.projects, query),
  }),
  endpoint({
    method: 'post',
    path: '/projects',
    access: { role: 'operator', scope: 'projects:write' },
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
    method: 'get',
    path: '/projects/:id',
    access: { role: 'viewer', scope: 'projects:read', project: true },
    tag,
    summary: 'Um projeto',
    params: idParams,
    status: 200,
    response: projectResponse,
    errorStatuses: [404],
    run: ({ principal, params: { id } }) => projects.get(id, principal.projects),
  }),
  endpoint({
    method: 'put',
    path: '/projects/:id',
    access: { role: 'operator', scope: 'projects:write', project: true },
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
    access: { role: 'operator', scope: 'projects:delete' },
    tag,
    summary: 'Remove um projeto sem tenants',
    params: idParams,
    status: 204,
    response: noContent,
    errorStatuses: [404, 409],
    run: ({ context, params: { id } }) => projects.remove(context, id),
  }),
];
