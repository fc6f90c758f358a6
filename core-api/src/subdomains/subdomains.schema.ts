import { z } from 'zod';
import { healthResponse, probeStepResponse } from '../health/health.service';
import { alsoInForm, always, flag, hostLabel } from '../http/fields';
import { liveResponse } from '../live/live.service';
import { parsePort } from '../rules/port';
import { targetTypes } from '../rules/target';
import { subdomainMessages as messages } from './subdomains.messages';
import { targetForm } from './target';

const port = z.preprocess(
  (value) => parsePort(value) ?? value,
  z.int(messages.port).min(1, messages.port).max(65_535, messages.port),
);
const optionalPort = z.preprocess((value) => (value === '' ? null : value), port.nullish());

const common = {
  description: z.string(messages.required).trim().min(1, messages.required).max(500, messages.descriptionLong),
  type: z.enum(targetTypes, messages.type),
};
const targets = {
  port: optionalPort,
  staticPath: z.string(messages.staticPath).trim().max(1024, messages.staticPath).nullish(),
  apiPort: optionalPort,
  targetHost: z.string(messages.targetHost).trim().max(255, messages.targetHost).nullish(),
  targetPort: optionalPort,
};
const switches = { paused: flag.optional(), healthCheck: flag.optional() };

/** POST /subdomains */
export const subdomainBody = z
  .object({
    subdomain: z
      .string(messages.required)
      .trim()
      .min(1, messages.required)
      .pipe(hostLabel(messages.label, messages.reserved)),
    ...common,
    ...targets,
    ...switches,
  })
  .superRefine(alsoInForm(targetForm), always);
/** PUT /subdomains/{subdomain} */
export const subdomainChanges = z.object({ ...common, ...targets, ...switches }).partial();
export type SubdomainBody = z.output<typeof subdomainBody>;
export type SubdomainChanges = z.output<typeof subdomainChanges>;

/** POST /subdomains/test: a target as the form has it, `subdomain` being the one that is edited, if any. */
export const connectionTestBody = z
  .object({ type: common.type, ...targets, subdomain: z.string().trim().toLowerCase().max(63).nullish() })
  .superRefine(alsoInForm(targetForm), always);
export type ConnectionTestBody = z.output<typeof connectionTestBody>;

export const connectionTestResponse = z.object({
  steps: z.array(probeStepResponse),
  /** Labels of other subdomains that lead to the same target. */
  usedBy: z.array(z.string()),
});

/** The presenter: what an answer carries. */
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
    paused: z.boolean(),
    healthCheck: z.boolean(),
    health: healthResponse,
    /** Of a save; null in every other answer. */
    live: liveResponse.nullable(),
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
        paused: false,
        healthCheck: true,
        health: { state: 'up', status: 200, ms: 12, checkedAt: '2026-01-15T12:31:00.000Z', reason: null },
        live: { state: 'active' },
        createdAt: '2026-01-15T12:30:00.000Z',
        version: 1,
      },
    ],
  });

export const subdomainPage = z.object({ subdomains: z.array(subdomainResponse), total: z.int() });
