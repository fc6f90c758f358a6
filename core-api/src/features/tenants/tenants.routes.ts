import { z } from 'zod';
import { endpoint, withTag } from '../../platform/http/endpoint';
import * as schemas from './tenants.schema';
import type { TenantsService } from './tenants.service';

export const tenantEndpoints = (tenants: TenantsService) =>
  withTag('Tenants', [
    endpoint('GET /tenants', {
      access: { role: 'viewer', scope: 'tenants:read', project: true },
      summary: 'Lista os tenants por nome',
      query: schemas.tenantQuery,
      response: z.array(schemas.tenantResponse),
      run: ({ principal, query }) => tenants.list(principal.projects, query),
    }),
    endpoint('POST /tenants', {
      access: { role: 'operator', scope: 'tenants:write', project: true },
      summary: 'Cria um tenant',
      body: schemas.tenantBody,
      example: {
        name: 'Padaria do Zé',
        project: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        subdomain: 'padaria',
        responsibleName: 'José',
      },
      status: 201,
      response: schemas.tenantResponse,
      errorStatuses: [409],
      run: ({ context, body }) => tenants.create(context, body),
    }),
    endpoint('GET /tenants/:id', {
      access: { role: 'viewer', scope: 'tenants:read', project: true },
      summary: 'Um tenant',
      response: schemas.tenantResponse,
      run: ({ principal, params: { id } }) => tenants.get(id, principal.projects),
    }),
    endpoint('PUT /tenants/:id', {
      access: { role: 'operator', scope: 'tenants:write', project: true },
      summary: 'Altera um tenant; outro projeto o move',
      body: schemas.tenantChanges,
      example: { name: 'Padaria', responsibleContact: '(11) 99999-0000' },
      response: schemas.tenantResponse,
      ifMatch: true,
      run: ({ context, params: { id }, body }) => tenants.update(context, id, body),
    }),
    endpoint('POST /tenants/:id/check', {
      access: { role: 'operator', scope: 'tenants:write', project: true },
      summary: 'Verifica agora o destino e o domínio de um tenant',
      response: schemas.tenantResponse,
      run: ({ principal, params: { id } }) => tenants.check(id, principal.projects),
    }),
    endpoint('DELETE /tenants/:id', {
      access: { role: 'operator', scope: 'tenants:delete', project: true },
      summary: 'Remove um tenant, o subdomínio e o domínio dele',
      run: ({ context, params: { id } }) => tenants.remove(context, id),
    }),
    endpoint('POST /tenants/:id/domain', {
      access: { role: 'operator', scope: 'tenants:write', project: true },
      summary: 'Configura o domínio personalizado',
      body: schemas.domainBody,
      example: { domain: 'padariadoze.com.br', www: 'to-apex' },
      response: schemas.tenantResponse,
      errorStatuses: [409],
      run: ({ context, params: { id }, body }) => tenants.setDomain(context, id, body),
    }),
    endpoint('DELETE /tenants/:id/domain', {
      access: { role: 'operator', scope: 'tenants:write', project: true },
      summary: 'Remove o domínio personalizado',
      response: schemas.tenantResponse,
      run: ({ context, params: { id } }) => tenants.removeDomain(context, id),
    }),
  ]);
