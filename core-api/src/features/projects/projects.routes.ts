import { z } from 'zod';
import { endpoint, withTag } from '../../platform/http/endpoint';
import * as schemas from './projects.schema';
import type { ProjectsService } from './projects.service';

export const projectEndpoints = (projects: ProjectsService) =>
  withTag('Projetos', [
    endpoint('GET /projects', {
      access: { role: 'viewer', scope: 'projects:read', project: true },
      summary: 'Lista os projetos por nome',
      query: schemas.projectQuery,
      response: z.array(schemas.projectResponse),
      run: ({ principal, query }) => projects.list(principal.projects, query),
    }),
    endpoint('POST /projects', {
      access: { role: 'operator', scope: 'projects:write' },
      summary: 'Cria um projeto',
      body: schemas.projectBody,
      example: { name: 'CRM', dbPrefix: 'crm', type: 'proxy', apiPort: 4000 },
      status: 201,
      response: schemas.projectResponse,
      errorStatuses: [409],
      run: ({ context, body }) => projects.create(context, body),
    }),
    endpoint('GET /projects/:id', {
      access: { role: 'viewer', scope: 'projects:read', project: true },
      summary: 'Um projeto',
      response: schemas.projectResponse,
      run: ({ principal, params: { id } }) => projects.get(id, principal.projects),
    }),
    endpoint('PUT /projects/:id', {
      access: { role: 'operator', scope: 'projects:write', project: true },
      summary: 'Altera um projeto',
      body: schemas.projectChanges,
      example: { name: 'CRM de vendas' },
      response: schemas.projectResponse,
      errorStatuses: [409],
      ifMatch: true,
      run: ({ context, params: { id }, body }) => projects.update(context, id, body),
    }),
    endpoint('DELETE /projects/:id', {
      access: { role: 'operator', scope: 'projects:delete' },
      summary: 'Remove um projeto sem tenants',
      errorStatuses: [409],
      run: ({ context, params: { id } }) => projects.remove(context, id),
    }),
  ]);
