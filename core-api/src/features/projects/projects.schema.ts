import { z } from 'zod';
import { addFormIssues, evenIfFieldsFailed, optionalPort, requiredText } from '../../platform/http/input/fields';
import { listQuery, sortBy } from '../../platform/http/lists/list-pages';
import { projectTypes } from './project.entity';
import { projectMessages as messages } from './projects.messages';

const dbPrefix = z
  .string(messages.dbPrefix)
  .trim()
  .max(40, messages.dbPrefix)
  .regex(/^[A-Za-z0-9_]*$/, messages.dbPrefix)
  .transform((prefix) => prefix.replace(/_+$/, ''));

/** Required fields by type (contract §3): `apiPort` for a proxy, `staticPath` for a site that serves a folder. */
const targetForm = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('proxy'), apiPort: z.int(messages.apiPort) }),
    z
      .object({
        type: z.literal('static'),
        source: z.string().optional(),
        staticPath: z.string(messages.staticPath).nullish(),
      })
      .superRefine(({ source, staticPath }, context) => {
        // A site that serves uploaded versions needs no folder.
        if (source !== 'versions' && !staticPath)
          context.addIssue({ code: 'custom', path: ['staticPath'], message: messages.staticPath });
      }),
  ],
  messages.type,
);

const fields = {
  name: requiredText(100, messages.nameRequired, messages.nameLong),
  dbPrefix: dbPrefix.nullish().transform((prefix) => prefix ?? ''),
  type: z.enum(projectTypes, messages.type),
  apiPort: optionalPort(messages.apiPort),
  staticPath: z.string(messages.staticPath).trim().max(1024, messages.staticPath).nullish(),
  spaFallback: z.boolean().optional(),
  source: z.enum(['folder', 'versions'], messages.source).optional(),
};

export const projectBody = z.object(fields).superRefine(addFormIssues(targetForm), evenIfFieldsFailed);
export type ProjectBody = z.output<typeof projectBody>;

/** PUT /projects/{id}; absent fields keep their value. */
export const projectChanges = z
  .object({ ...fields, dbPrefix: dbPrefix.nullish().transform((prefix) => prefix ?? undefined) })
  .partial();
export type ProjectChanges = z.output<typeof projectChanges>;

export const projectResponse = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    dbPrefix: z.string(),
    type: z.enum(projectTypes),
    apiPort: z.int().nullable(),
    staticPath: z.string().nullable(),
    spaFallback: z.boolean(),
    source: z.enum(['folder', 'versions']),
    versionId: z.uuid().nullable(),
    version: z.int(),
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
        spaFallback: true,
        source: 'folder',
        versionId: null,
        version: 1,
      },
    ],
  });

export const projectQuery = listQuery(projectResponse).extend({
  sortBy: sortBy(['name', 'type', 'dbPrefix']).optional(),
});
export type ProjectQuery = z.output<typeof projectQuery>;
