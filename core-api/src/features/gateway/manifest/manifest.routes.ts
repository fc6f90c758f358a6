import { z } from 'zod';
import { endpoint, withTag } from '../../../platform/http/endpoint';
import * as schemas from './manifest.schema';
import type { ManifestService } from './manifest.service';

export const manifestEndpoints = (manifest: ManifestService) =>
  withTag('Gateway: serviços', [
    endpoint('GET /gateway/admin/services/:id/manifest', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'Busca no serviço as rotas que ele oferece',
      response: z.array(schemas.manifestRoute),
      errorStatuses: [502],
      run: async ({ params: { id } }) => (await manifest.fetch(id)).routes,
    }),
    endpoint('GET /gateway/admin/services/:id/manifest/reading', {
      access: { role: 'viewer', scope: 'gateway:read' },
      summary: 'O mesmo, com permissões sugeridas e o que não pode ser rota, com o motivo',
      response: schemas.manifestReading,
      errorStatuses: [502],
      run: ({ params: { id } }) => manifest.readForImport(id),
    }),
    endpoint('POST /gateway/admin/services/:id/manifest/reading', {
      access: { role: 'operator', scope: 'gateway:write' },
      summary: 'O mesmo, de um documento que o serviço não publica, ou de outro endereço',
      body: schemas.sourceBody,
      largeBody: true,
      example: { address: 'https://api.exemplo.com/openapi.json' },
      response: schemas.manifestReading,
      errorStatuses: [502],
      run: ({ params: { id }, body }) => manifest.readForImport(id, body),
    }),
  ]);
