import { z } from 'zod';
import { idParams } from '../../platform/http/input/fields';
import { rolloutStatusResponse } from '../rollout';
import { versionStates } from './site-version.entity';
import { siteMessages as messages } from './sites.messages';

/** Query parameters of a publication. `activate` without a value means true. */
export const publishQuery = z.object({
  activate: z
    .enum(['true', 'false', ''], messages.activate)
    .default('true')
    .transform((text) => text !== 'false'),
  message: z.string().trim().max(500, messages.messageLong).optional(),
});
export type PublishQuery = z.output<typeof publishQuery>;

export const contentParams = idParams.extend({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export const uploadBody = z.object({
  activate: z.boolean().default(true),
  message: z.string().trim().max(500, messages.messageLong).nullish(),
});
export type UploadBody = z.output<typeof uploadBody>;

export const uploadResponse = z
  .object({
    /** Path of an upload URL, which accepts one publication. The host of the URL is the host of the API. */
    path: z.string(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'SiteUpload' });
export type UploadResponse = z.output<typeof uploadResponse>;

export const uploadParams = z.object({ upload: z.string().regex(/^[\w-]{43}$/) });
export const uploadContentParams = uploadParams.extend({ sha256: contentParams.shape.sha256 });

export const previewBody = z
  .object({
    expiresAt: z.iso.datetime(messages.previewEnd),
    pinned: z.boolean(),
    /** Null or an empty text removes the password. */
    password: z
      .string(messages.previewPassword)
      .max(200, messages.previewPassword)
      .refine((text) => text === '' || text.length >= 4, messages.previewPassword)
      .nullable(),
  })
  .partial();
export type PreviewBody = z.output<typeof previewBody>;

const EXAMPLE = {
  _id: '019a1b2c-3d4e-7f50-8a61-b2c3d4e5f607',
  number: 7,
  state: 'ready',
  files: 42,
  bytes: 1_204_311,
} as const;
const PREVIEW_URL = 'https://k3v9x2m7qa--loja.estudio.com.br';

const versionFields = { _id: z.uuid(), number: z.int(), state: z.enum(versionStates), files: z.int(), bytes: z.int() };

export const publishedResponse = z
  .object({
    ...versionFields,
    /** Number of files whose content was already in an earlier version of this site. */
    reused: z.int(),
    /** SHA-256 of the content that has not been received yet; only for a package that is a list of files. */
    missing: z.array(z.string()).optional(),
    warnings: z.array(z.string()),
    previewUrl: z.url().nullable(),
    /** Null if nothing was activated. */
    live: rolloutStatusResponse.nullable(),
  })
  .meta({
    id: 'PublishedVersion',
    examples: [{ ...EXAMPLE, reused: 40, warnings: [], previewUrl: PREVIEW_URL, live: { state: 'active' } }],
  });
export type PublishedResponse = z.output<typeof publishedResponse>;

export const versionResponse = z
  .object({
    ...versionFields,
    message: z.string().nullable(),
    actor: z.string(),
    createdAt: z.iso.datetime(),
    pinned: z.boolean(),
    /** True if the site serves this version. */
    current: z.boolean(),
    previewUrl: z.url().nullable(),
    previewExpiresAt: z.iso.datetime().nullable(),
    previewHasPassword: z.boolean(),
    /** Rollout status in the response to an activation; null in other responses. */
    live: rolloutStatusResponse.nullable(),
  })
  .meta({
    id: 'SiteVersion',
    examples: [
      {
        ...EXAMPLE,
        message: 'Cardápio de inverno',
        actor: 'ana',
        createdAt: '2026-01-15T12:30:00.000Z',
        pinned: false,
        current: true,
        previewUrl: PREVIEW_URL,
        previewExpiresAt: '2026-01-29T12:30:00.000Z',
        previewHasPassword: false,
        live: null,
      },
    ],
  });
export type VersionResponse = z.output<typeof versionResponse>;

/** GET /versions/{id}/changes: the first 100 paths that differ from the previous version. */
export const changesResponse = z
  .object({
    /** Number of the previous version; null for the first version. */
    since: z.int().nullable(),
    added: z.int(),
    changed: z.int(),
    removed: z.int(),
    paths: z.array(z.object({ path: z.string(), change: z.enum(['added', 'changed', 'removed']) })),
  })
  .meta({ id: 'VersionChanges' });
export type ChangesResponse = z.output<typeof changesResponse>;
