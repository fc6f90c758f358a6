import { z } from 'zod';
import { hostLabel, optionalText, requiredText, trimmedText } from '../../platform/http/input/fields';
import { listQuery, sortBy } from '../../platform/http/lists/list-pages';
import { domainMessages, domainStatusResponse, wwwMode } from '../domains';
import { rolloutStatusResponse } from '../rollout';
import { healthResponse } from '../target-health';
import { tenantMessages as messages } from './tenants.messages';

const project = trimmedText(64, messages.projectRequired, messages.unknownProject);
const changeableFields = {
  name: requiredText(100, messages.nameRequired, messages.nameLong),
  responsibleName: optionalText(100, messages.responsibleLong),
  responsibleContact: optionalText(255, messages.responsibleLong),
  paused: z.boolean().optional(),
  healthCheck: z.boolean().optional(),
};

/**
 * POST /tenants; an absent `dbName` is derived from the name and the project's prefix. An error in a derived name is
 * reported for `name`, even if a client sends the derived name. No derived name has blanks, so they are refused here.
 */
export const tenantBody = z.object({
  ...changeableFields,
  project,
  subdomain: requiredText(255, messages.subdomainRequired, messages.label).pipe(
    hostLabel(messages.label, messages.reserved),
  ),
  dbName: optionalText(255, messages.dbName).refine((name) => !name || !/\s/.test(name), messages.dbName),
});
export type TenantBody = z.output<typeof tenantBody>;

/** PUT /tenants/{id}; another `project` moves the tenant. `subdomain` is accepted only if unchanged. */
export const tenantChanges = z
  .object({
    ...changeableFields,
    project,
    subdomain: z.string(messages.subdomainFixed).trim().toLowerCase(),
    source: z.enum(['project', 'versions'], messages.source),
  })
  .partial();
export type TenantChanges = z.output<typeof tenantChanges>;

export const domainBody = z.object({
  domain: requiredText(255, domainMessages.domainRequired, domainMessages.domain),
  www: wwwMode.default('serve'),
});
export type DomainBody = z.output<typeof domainBody>;

export const tenantResponse = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    project: z.object({ _id: z.uuid(), name: z.string() }),
    subdomain: z.string(),
    dbName: z.string(),
    /** The primary domain. */
    customDomain: z.string().nullable(),
    /** `customDomain` in Unicode, to show to people. */
    displayDomain: z.string().nullable(),
    wwwMode,
    domainCount: z.int(),
    /** Status of the primary domain and its `www`; null without a domain. */
    domainStatus: z.array(domainStatusResponse).nullable(),
    responsibleName: z.string().nullable(),
    responsibleContact: z.string().nullable(),
    source: z.enum(['project', 'versions']),
    versionId: z.uuid().nullable(),
    paused: z.boolean(),
    healthCheck: z.boolean(),
    health: healthResponse,
    /** Rollout status in the response to a save; null in other responses. */
    live: rolloutStatusResponse.nullable(),
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
        displayDomain: 'padariadoze.com.br',
        wwwMode: 'to-apex',
        domainCount: 1,
        domainStatus: [
          {
            host: 'padariadoze.com.br',
            displayHost: 'padariadoze.com.br',
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
        source: 'project',
        versionId: null,
        paused: false,
        healthCheck: true,
        health: { state: 'up', status: 200, ms: 12, checkedAt: '2026-01-15T12:31:00.000Z', reason: null },
        live: { state: 'active' },
        version: 1,
      },
    ],
  });

export type TenantResponse = z.output<typeof tenantResponse>;

export const tenantQuery = listQuery(tenantResponse).extend({
  project: z.uuid(messages.unknownProject).optional(),
  sortBy: sortBy(['name', 'project', 'subdomain', 'customDomain', 'responsibleName']).optional(),
});
export type TenantQuery = z.output<typeof tenantQuery>;
