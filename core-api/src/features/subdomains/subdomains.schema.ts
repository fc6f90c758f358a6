import { z } from 'zod';
import {
  addFormIssues,
  evenIfFieldsFailed,
  hostLabel,
  optionalPort,
  trimmedText,
} from '../../platform/http/input/fields';
import { paging } from '../../platform/http/lists/paging';
import { targetTypes } from '../../platform/net/target';
import { rolloutStatusResponse } from '../rollout';
import { healthResponse, probeStepResponse } from '../target-health';
import { subdomainMessages as messages } from './subdomains.messages';
import { targetForm } from './target';

const port = optionalPort(messages.port);

/** States of the list's filter. A paused subdomain has no other state. */
const subdomainStates = ['up', 'down', 'unknown', 'paused'] as const;

export const subdomainQuery = paging.extend({
  search: z.string().trim().max(255).optional(),
  state: z.enum(subdomainStates).optional(),
});
export type SubdomainQuery = z.output<typeof subdomainQuery>;

const requiredFields = {
  description: trimmedText(500, messages.required, messages.descriptionLong),
  type: z.enum(targetTypes, messages.type),
};
const targetFields = {
  port,
  staticPath: z.string(messages.staticPath).trim().max(1024, messages.staticPath).nullish(),
  apiPort: port,
  targetHost: z.string(messages.targetHost).trim().max(255, messages.targetHost).nullish(),
  targetPort: port,
};
const source = z.enum(['folder', 'versions'], messages.source);
const optionalFields = {
  source: source.optional(),
  paused: z.boolean().optional(),
  healthCheck: z.boolean().optional(),
  spaFallback: z.boolean().optional(),
};

export const subdomainBody = z
  .object({
    subdomain: z
      .string(messages.required)
      .trim()
      .min(1, messages.required)
      .pipe(hostLabel(messages.label, messages.reserved)),
    ...requiredFields,
    ...targetFields,
    ...optionalFields,
  })
  .superRefine(addFormIssues(targetForm), evenIfFieldsFailed);
export const subdomainChanges = z.object({ ...requiredFields, ...targetFields, ...optionalFields }).partial();
export type SubdomainBody = z.output<typeof subdomainBody>;
export type SubdomainChanges = z.output<typeof subdomainChanges>;

/** Body of POST /subdomains/test: a target as entered in the form. An edit adds the name of the edited subdomain. */
export const connectionTestBody = z
  .object({ type: requiredFields.type, ...targetFields, subdomain: z.string().trim().toLowerCase().max(63).nullish() })
  .superRefine(addFormIssues(targetForm), evenIfFieldsFailed);
export type ConnectionTestBody = z.output<typeof connectionTestBody>;

export const connectionTestResponse = z.object({
  steps: z.array(probeStepResponse),
  /** Labels of other subdomains with the same target. */
  usedBy: z.array(z.string()),
});

export const subdomainResponse = z
  .object({
    _id: z.uuid(),
    subdomain: z.string(),
    description: z.string(),
    type: z.enum(targetTypes),
    port: z.int().nullable(),
    staticPath: z.string().nullable(),
    apiPort: z.int().nullable(),
    targetHost: z.string().nullable(),
    targetPort: z.int().nullable(),
    spaFallback: z.boolean(),
    source,
    versionId: z.uuid().nullable(),
    paused: z.boolean(),
    healthCheck: z.boolean(),
    health: healthResponse,
    /** Rollout status in the response to a save; null in other responses. */
    live: rolloutStatusResponse.nullable(),
    createdAt: z.iso.datetime(),
    version: z.int(),
  })
  .meta({
    id: 'Subdomain',
    examples: [
      {
        _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        subdomain: 'loja',
        description: 'Loja virtual',
        type: 'proxy',
        port: 4000,
        staticPath: null,
        apiPort: null,
        targetHost: null,
        targetPort: null,
        spaFallback: true,
        source: 'folder',
        versionId: null,
        paused: false,
        healthCheck: true,
        health: { state: 'up', status: 200, ms: 12, checkedAt: '2026-01-15T12:31:00.000Z', reason: null },
        live: { state: 'active' },
        createdAt: '2026-01-15T12:30:00.000Z',
        version: 1,
      },
    ],
  });

export type SubdomainResponse = z.output<typeof subdomainResponse>;

export const subdomainPage = z.object({ subdomains: z.array(subdomainResponse), total: z.int() });
