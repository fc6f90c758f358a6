import { endpoint, withTag } from '../../platform/http/endpoint';
import { paging } from '../../platform/http/lists/paging';
import type { BackupPlanService } from './backup-plan.service';
import * as schemas from './backups.schema';
import type { BackupsService } from './backups.service';

const readAccess = { role: 'administrator', scope: 'backups:read' } as const;
const writeAccess = { role: 'administrator', scope: 'backups:write' } as const;

export const backupEndpoints = (plan: BackupPlanService, backups: BackupsService) =>
  withTag('Backups', [
    endpoint('GET /backup-plan', {
      access: readAccess,
      summary: 'Lê o plano de backups, sem os segredos',
      response: schemas.planResponse,
      run: () => plan.get(),
    }),
    endpoint('PUT /backup-plan', {
      access: { ...writeAccess, sudo: true },
      summary: 'Altera o plano de backups',
      body: schemas.planBody,
      example: { schedule: '0 3 * * *', keepDaily: 7, passphrase: 'quatro palavras que ninguém sabe' },
      response: schemas.planResponse,
      ifMatch: true,
      run: ({ context, body }) => plan.update(context, body),
    }),
    endpoint('GET /backups', {
      access: readAccess,
      summary: 'Lista os backups, o mais novo primeiro',
      query: paging,
      response: schemas.backupsResponse,
      run: ({ query }) => backups.list(query),
    }),
    endpoint('POST /backups', {
      access: writeAccess,
      summary: 'Começa um backup',
      status: 202,
      response: schemas.startedBackup,
      errorStatuses: [409],
      run: ({ context }) => backups.start(context, 'manual'),
    }),
    endpoint('POST /backups/:id/verify', {
      access: writeAccess,
      summary: 'Começa a verificação de um backup guardado',
      status: 202,
      response: schemas.startedBackup,
      errorStatuses: [409],
      run: ({ context, params: { id } }) => backups.verify(context, id),
    }),
  ]);
