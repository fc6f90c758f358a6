import { z } from 'zod';
import { optionalText, requiredText } from '../http/fields';
import { tenantMessages as messages } from './tenants.messages';

const changeable = {
  name: requiredText(100, messages.nameRequired, messages.nameLong),
  responsibleName: optionalText(100, messages.responsibleLong),
  responsibleContact: optionalText(255, messages.responsibleLong),
};

/** POST /tenants; `dbName` is derived when left out. */
export const tenantBody = z.object({
  ...changeable,
  project: z.string(messages.projectRequired).trim().min(1, messages.projectRequired).max(64, messages.unknownProject),
  subdomain: requiredText(255, messages.subdomainRequired, messages.label),
  dbName: optionalText(255, messages.dbName),
});
export type TenantBody = z.output<typeof tenantBody>;

/** PUT /tenants/{id}; `project` and `subdomain` are accepted only unchanged. */
export const tenantChanges = z
  .object({
    ...changeable,
    project: z.string(messages.projectFixed).trim(),
    subdomain: z.string(messages.subdomainFixed).trim().toLowerCase(),
  })
  .partial();
export type TenantChanges = z.output<typeof tenantChanges>;

/** POST /tenants/{id}/domain */
export const domainBody = z.object({ domain: requiredText(255, messages.domainRequired, messages.domain) });

export const tenantAnswer = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    project: z.object({ _id: z.uuid(), name: z.string() }),
    subdomain: z.string(),
    dbName: z.string(),
    customDomain: z.string().nullable(),
    responsibleName: z.string().nullable(),
    responsibleContact: z.string().nullable(),
  })
  .meta({
    id: 'Tenant',
    examples: [
      {
        _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        name: 'Padaria do Zé',
        project: { _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607', name: 'CRM' },
        subdomain: 'padaria',
        dbName: 'crm_padaria_do_zé',
        customDomain: 'padariadoze.com.br',
        responsibleName: 'José',
        responsibleContact: null,
      },
    ],
  });
