import { endpoint, withTag } from '../../platform/http/endpoint';
import { subdomainParams } from '../../platform/http/input/fields';
import * as schemas from './subdomains.schema';
import type { SubdomainsService } from './subdomains.service';

export const subdomainEndpoints = (subdomains: SubdomainsService) =>
  withTag('Subdomínios', [
    endpoint('GET /subdomains', {
      access: { role: 'viewer', scope: 'subdomains:read' },
      summary: 'Lista os subdomínios, do mais novo ao mais antigo',
      query: schemas.subdomainQuery,
      response: schemas.subdomainPage,
      run: ({ query }) => subdomains.list(query),
    }),
    endpoint('POST /subdomains', {
      access: { role: 'operator', scope: 'subdomains:write' },
      summary: 'Cria um subdomínio',
      body: schemas.subdomainBody,
      example: { subdomain: 'loja', description: 'Loja virtual', type: 'proxy', port: 4000 },
      status: 201,
      response: schemas.subdomainResponse,
      errorStatuses: [409],
      run: ({ context, body }) => subdomains.create(context, body),
    }),
    endpoint('GET /subdomains/:subdomain', {
      access: { role: 'viewer', scope: 'subdomains:read' },
      summary: 'Um subdomínio, pelo nome ou pelo _id',
      params: subdomainParams,
      response: schemas.subdomainResponse,
      run: ({ params: { subdomain } }) => subdomains.get(subdomain),
    }),
    endpoint('PUT /subdomains/:subdomain', {
      access: { role: 'operator', scope: 'subdomains:write' },
      summary: 'Altera um subdomínio',
      params: subdomainParams,
      body: schemas.subdomainChanges,
      example: { type: 'tunnel', targetHost: 'app.exemplo.com.br', targetPort: 443 },
      response: schemas.subdomainResponse,
      ifMatch: true,
      run: ({ context, params: { subdomain }, body }) => subdomains.update(context, subdomain, body),
    }),
    endpoint('POST /subdomains/test', {
      access: { role: 'operator', scope: 'subdomains:write' },
      summary: 'Testa a conexão com um destino, sem guardar nada',
      body: schemas.connectionTestBody,
      example: { type: 'proxy', port: 4000 },
      response: schemas.connectionTestResponse,
      run: ({ body }) => subdomains.testConnection(body),
    }),
    endpoint('POST /subdomains/:subdomain/check', {
      access: { role: 'operator', scope: 'subdomains:write' },
      summary: 'Verifica agora o destino e os domínios de um subdomínio',
      params: subdomainParams,
      response: schemas.subdomainResponse,
      run: ({ params: { subdomain } }) => subdomains.check(subdomain),
    }),
    endpoint('DELETE /subdomains/:subdomain', {
      access: { role: 'operator', scope: 'subdomains:delete' },
      summary: 'Remove um subdomínio pelo nome ou pelo _id',
      params: subdomainParams,
      run: ({ context, params: { subdomain } }) => subdomains.remove(context, subdomain),
    }),
  ]);
