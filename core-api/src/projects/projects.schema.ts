import { z } from 'zod';
import { optionalPort, requiredText } from '../http/fields';
import { projectTypes } from './project.entity';
import { projectMessages as messages } from './projects.messages';

const dbPrefix = z
  .string(messages.dbPrefix)
  .trim()
  .max(40, messages.dbPrefix)
  .regex(/^[A-Za-z0-9_]*$/, messages.dbPrefix)
  .transform((prefix) => prefix.replace(/_+$/, ''));

/** POST /projects; which of `apiPort` and `staticPath` is needed depends on `type`. */
export const projectBody = z.object({
  name: requiredText(100, messages.nameRequired, messages.nameLong),
  dbPrefix: dbPrefix.nullish().transform((prefix) => prefix ?? ''),
  type: z.enum(projectTypes, messages.type),
  apiPort: optionalPort(messages.apiPort),
  staticPath: z.string(messages.staticPath).trim().max(1024, messages.staticPath).nullish(),
});
export type ProjectBody = z.output<typeof projectBody>;

/** PUT /projects/{id}: fields left out keep their value. */
export const projectChanges = projectBody.extend({ dbPrefix: dbPrefix.nullish() }).partial();
export type ProjectChanges = z.output<typeof projectChanges>;

export const projectAnswer = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    dbPrefix: z.string(),
    type: z.enum(projectTypes),
    apiPort: z.int().nullable(),
    staticPath: z.string().nullable(),
  })
  .meta({
    id: 'Project',
    examples: [
      {
        _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
        name: 'CRM',
        dbPrefix: 'crm',
        type: 'proxy',
        apiPort: 4000,
        staticPath: null,
      },
    ],
  });
