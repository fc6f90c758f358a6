import { z } from 'zod';
import { domainStatusResponse } from '../domains/domains.service';
import { healthResponse } from '../health/health.service';
import { flag, hostLabel, optionalText, requiredText } from '../http/fields';
import { liveResponse } from '../live/live.service';
import { wwwModes } from './tenant.entity';
import { tenantMessages as messages } from './tenants.messages';

const switches = { paused: flag.optional(), healthCheck: flag.optional() };
const changeable = {
  name: requiredText(100, messages.nameRequired, messages.nameLong),
  responsibleName: optionalText(100, messages.responsibleLong),
  responsibleContact: optionalText(255, messages.responsibleLong),
  ...switches,
};

/**
 * POST /tenants; `dbName` is derived when left out, and judged together with the project's prefix: what the formula itself
 * makes of a name is the name's fault. A blank it never makes.
 */
export const tenantBody = z.object({
  ...changeable,
  project: z.string(messages.projectRequired).trim().min(1, messages.projectRequired).max(64, messages.unknownProject),
  subdomain: requiredText(255, messages.subdomainRequired, messages.label).pipe(
    hostLabel(messages.label, messages.reserved),
  ),
  dbName: optionalText(255, messages.dbName).refine((name) => !name || !/\s/.test(name), messages.dbName),
});
export type TenantBody = z.output<typeof tenantBody>;

/** PUT /tenants/{id}; another `project` moves the tenant, `subdomain` is accepted only unchanged. */
export const tenantChanges = z
  .object({
    ...changeable,
    project: z
      .string(messages.projectRequired)
      .trim()
      .min(1, messages.projectRequired)
      .max(64, messages.unknownProject),
    subdomain: z.string(messages.subdomainFixed).trim().toLowerCase(),
  })
  .partial();
export type TenantChanges = z.output<typeof tenantChanges>;

/** POST /tenants/{id}/domain */
export const domainBody = z.object({
  domain: requiredText(255, messages.domainRequired, messages.domain),
  www: z.enum(wwwModes, messages.www).default('serve'),
});
export type DomainBody = z.output<typeof domainBody>;

export const tenantResponse = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    project: z.object({ _id: z.uuid(), name: z.string() }),
    subdomain: z.string(),
    dbName: z.string(),
    customDomain: z.string().nullable(),
    wwwMode: z.enum(wwwModes),
    /** Of the domain and its `www`; null without a domain. */
    domainStatus: z.array(domainStatusResponse).nullable(),
    responsibleName: z.string().nullable(),
    responsibleContact: z.string().nullable(),
    paused: z.boolean(),
    healthCheck: z.boolean(),
    health: healthResponse,
    /** Of a save; null in every other answer. */
    live: liveResponse.nullable(),
    version: z.int(),
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
        wwwMode: 'to-apex',
        domainStatus: [
          {
            host: 'padariadoze.com.br',
            dns: 'ok',
            found: ['203.0.113.1'],
            expected: ['203.0.113.1'],
            certificate: { state: 'active', issuer: "Let's Encrypt", expiresAt: '2026-04-15T12:30:00.000Z' },
            checkedAt: '2026-01-15T12:31:00.000Z',
            nextCheckAt: '2026-01-16T12:31:00.000Z',
          },
        ],
        responsibleName: 'José',
        responsibleContact: null,
        paused: false,
        healthCheck: true,
        health: { state: 'up', status: 200, ms: 12, checkedAt: '2026-01-15T12:31:00.000Z', reason: null },
        live: { state: 'active' },
        version: 1,
      },
    ],
  });
