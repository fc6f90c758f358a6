import { z } from 'zod';
import { trimmedText } from '../../platform/http/input/fields';
import { targetTypes } from '../../platform/net/target';
import { suggestionMessages as messages } from './suggestions.messages';

export const suggestionBody = z.object({
  description: trimmedText(500, messages.description, messages.descriptionLong),
  existingSubdomains: z.array(z.string(messages.existing).max(255), messages.existing).max(100_000).default([]),
});

/** Fields that a model or the local suggester proposes; fields of other types are null. */
export const suggestedFields = z.object({
  subdomain: z.string().describe('One DNS label: lower case letters, digits, inner hyphens; short and telling'),
  description: z.string().describe('One sentence in Brazilian Portuguese'),
  type: z.enum(targetTypes).describe('proxy: local port; static: folder of files; tunnel: another host'),
  port: z.int().min(1).max(65_535).nullable(),
  staticPath: z.string().nullable().describe('Absolute folder, only for static'),
  apiPort: z.int().min(1).max(65_535).nullable(),
  targetHost: z.string().nullable(),
  targetPort: z.int().min(1).max(65_535).nullable(),
});
export type SuggestedFields = z.infer<typeof suggestedFields>;

/** Without a configured model, suggestions come from the words of the description. */
export const suggesterResponse = z.object({ configured: z.boolean() });

export const suggestionResponse = suggestedFields.extend({ source: z.enum(['ai', 'local']) }).meta({
  id: 'SubdomainSuggestion',
  examples: [
    {
      subdomain: 'loja-bolos',
      description: 'Loja de bolos',
      type: 'proxy',
      port: 4500,
      staticPath: null,
      apiPort: null,
      targetHost: null,
      targetPort: null,
      source: 'local',
    },
  ],
});
