import { type Endpoint, endpoint } from '../../platform/http/endpoint';
import { idParams } from '../../platform/http/fields';
import { paging } from '../../platform/http/paging';
import type { BackupPlanService } from './backup-plan.service';
import { backupsResponse, planBody, planResponse, startedBackup } from './backups.schema';
import type { BackupsService } from './backups.service';

const tag = 'Backups';
const reads = { role: 'administrator', scope: 'backups:read' } as const;
const writes = { role: 'administrator', scope: 'backups:write' } as const;

export const backupEndpoints = (plan: BackupPlanService, backups: BackupsService): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/backup-plan',
    access: reads,
    tag,
    summary: 'Lê o plano de backups, sem os segredos',
    status: 200,
    response: planResponse,
    errorStatuses: [],
    run: () => plan.get(),
  }),
  endpoint({
    method: 'put',
    path: '/backup-plan',
    access: { ...writes, sudo: true },
    tag,
    summary: 'Altera o plano de backups',
    body: planBody,
    example: { schedule: '0 3 * * *', keepDaily: 7, passphrase: 'quatro palavras que ninguém sabe' },
    status: 200,
    response: planResponse,
    errorStatuses: [],
    ifMatch: true,
    run: ({ context, body }) => plan.update(context, body),
  }),
  endpoint({
    method: 'get',
    path: '/backups',
    access: reads,
    tag,
    summary: 'Lista os backups, o mais novo primeiro',
    query: paging,
    status: 200,
    response: backupsResponse,
    errorStatuses: [],
    run: ({ query }) => backups.list(query),
  }),
  endpoint({
    method: 'post',
    path: '/backups',
    access: writes,
    tag,
    summary: 'Começa um backup',
    status: 202,
    response: startedBackup,
    errorStatuses: [409],
    run: ({ context }) => backups.start(context, 'manual'),
  }),
  endpoint({
    method: 'post',
    path: '/backups/:id/verify',
    access: writes,
    tag,
    summary: 'Começa a verificação de um backup guardado',
    params: idParams,
    status: 202,
    response: startedBackup,
    errorStatuses: [404, 409],
    run: ({ context, params: { id } }) => backups.verify(context, id),
  }),
];
