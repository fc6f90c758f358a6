import { z } from 'zod';
import { endpoint, withTag } from '../../platform/http/endpoint';
import { staticFolderMessages as messages } from './static-folders.messages';
import type { StaticFoldersService } from './static-folders.service';

const path = '/static-folders';
const folder = z.object({ path: z.string(), exists: z.boolean() });
const body = z.object({ path: z.string(messages.path).trim().min(1, messages.path).max(1024, messages.path) });

export const staticFolderEndpoints = (folders: StaticFoldersService) =>
  withTag('Subdomínios', [
    endpoint(`GET ${path}`, {
      access: { role: 'operator', scope: 'subdomains:read', project: true },
      summary: 'As pastas em que sites estáticos podem ficar',
      response: z.array(folder),
      run: () => folders.list(),
    }),
    endpoint(`POST ${path}`, {
      access: { role: 'operator', scope: 'subdomains:write' },
      summary: 'Cria uma pasta dentro das permitidas',
      body,
      example: { path: '/srv/loja' },
      status: 201,
      response: folder,
      run: ({ body: { path: text } }) => folders.create(text),
    }),
  ]);
