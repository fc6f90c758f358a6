import { z } from 'zod';
import { type Endpoint, endpoint } from '../../http/endpoint';
import { idParams } from '../../http/fields';
import { httpMethods } from '../routes/route.entity';
import type { ManifestService } from './manifest.service';

const manifestRoute = z
  .object({ method: z.enum(httpMethods), path: z.string(), permission: z.string(), summary: z.string().optional() })
  .meta({
    id: 'ManifestRoute',
    examples: [{ method: 'GET', path: '/pedidos/:id', permission: 'pedidos:ler', summary: 'Lê um pedido' }],
  });

export const manifestEndpoints = (manifest: ManifestService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/gateway/admin/services/:id/manifest',
    tag: 'Gateway: serviços',
    summary: 'Busca no serviço as rotas que ele oferece',
    params: idParams,
    status: 200,
    answer: z.array(manifestRoute),
    errors: [404, 502],
    run: ({ params: { id } }) => manifest.of(id),
  }),
];
