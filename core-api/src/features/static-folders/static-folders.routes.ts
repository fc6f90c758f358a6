import { z } from 'zod';
import { type Endpoint, endpoint } from '../../platform/http/endpoint';
import { staticFolderMessages as messages } from './static-folders.messages';
import type { StaticFoldersService } from './static-folders.service';

const tag = 'Subdomínios';
const path = '/static-folders';
const folder = z.object({ path: z.string(), exists: z.boolean() });
const body = z.object({ path: z.string(messages.path).trim().min(1, messages.path).max(1024, messages.path) });

export const staticFolderEndpoints = (folders: StaticFoldersService): Endpoint[] => [
  endpoint({
    method: 'get',
    path,
    access: { role: 'operator', scope: 'subdomains:read', project: true },
    tag,
    summary: 'As pastas em que sites estáticos podem ficar',
    status: 200,
    response: z.array(folder),
    errorStatuses: [],
    run: () => folders.list(),
  }),
  endpoint({
    method: 'post',
    path,
    access: { role: 'operator', scope: 'subdomains:write' },
    tag,
    summary: 'Cria uma pasta dentro das permitidas',
    body,
    example: { path: '/srv/loja' },
    status: 201,
    response: folder,
    errorStatuses: [],
    run: ({ body: { path: text } }) => folders.create(text),
  }),
];
