import { z } from 'zod';
import { parsePort } from '../rules/port';
import { subdomainTypes } from './subdomain.entity';
import { subdomainMessages as messages } from './subdomains.messages';

const port = z.preprocess(
  (value) => parsePort(value) ?? value,
  z.int(messages.port).min(1, messages.port).max(65_535, messages.port),
);
const optionalPort = z.preprocess((value) => (value === '' ? null : value), port.nullish());

const common = {
  description: z.string(messages.required).trim().min(1, messages.required).max(500, messages.descriptionLong),
  type: z.enum(subdomainTypes, messages.type),
};
const targets = {
  port: optionalPort,
  staticPath: z.string(messages.staticPath).trim().max(1024, messages.staticPath).nullish(),
  apiPort: optionalPort,
  targetHost: z.string(messages.targetHost).trim().max(255, messages.targetHost).nullish(),
  targetPort: optionalPort,
};

/** POST /subdomains */
export const subdomainBody = z.object({
  subdomain: z.string(messages.required).trim().min(1, messages.required),
  ...common,
  ...targets,
});
/** PUT /subdomains/{subdomain} */
export const subdomainChanges = z.object({ ...common, ...targets }).partial();
export type SubdomainBody = z.output<typeof subdomainBody>;
export type SubdomainChanges = z.output<typeof subdomainChanges>;

/** The presenter: what an answer carries. */
export const subdomainAnswer = z
  .object({
    _id: z.uuid(),
    subdomain: z.string(),
    description: z.string(),
    type: z.enum(subdomainTypes),
    port: z.int().nullable(),
    staticPath: z.string().nullable(),
    apiPort: z.int().nullable(),
    targetHost: z.string().nullable(),
    targetPort: z.int().nullable(),
    createdAt: z.iso.datetime(),
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
        createdAt: '2026-01-15T12:30:00.000Z',
      },
    ],
  });

export const subdomainPage = z.object({ subdomains: z.array(subdomainAnswer), total: z.int() });
