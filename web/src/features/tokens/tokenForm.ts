import { array, boolean, check, forward, type InferOutput, object, picklist, pipe, record, string } from 'valibot';
import { splitEntries } from '../../lib/format/splitEntries';
import { addressBlocks } from '../../ui/form/schema/addressBlocks';
import { requiredText } from '../../ui/form/schema/schemas';
import { LEVELS, toLevels, toScopes } from './scopes';
import type { Token } from './tokenColumns';
import { tokensMessages } from './tokens.messages';

const { form: messages } = tokensMessages;
const ADDRESS_SEPARATOR = /[\s,]+/;
const DAY_MS = 24 * 3600 * 1000;

export const PURPOSES = ['api', 'deploy'] as const;
export const SITE_TYPES = ['subdomain', 'project', 'tenant'] as const;

/** Value of the field `days` that keeps the expiry of an existing token. */
export const KEEP_EXPIRY = '';

export const tokenSchema = pipe(
  object({
    name: requiredText(messages.nameRequired),
    purpose: picklist(PURPOSES),
    levels: record(string(), picklist(LEVELS)),
    siteType: picklist(SITE_TYPES),
    site: string(),
    days: string(),
    allowedIps: addressBlocks(ADDRESS_SEPARATOR, messages.allowedIpsWrong),
    isLimited: boolean(),
    projects: array(string()),
  }),
  forward(
    check(({ purpose, levels }) => purpose === 'deploy' || toScopes(levels).length > 0, messages.scopesRequired),
    ['levels'],
  ),
  forward(
    check(({ purpose, site }) => purpose === 'api' || site.trim() !== '', messages.siteRequired),
    ['site'],
  ),
);
export type TokenValues = InferOutput<typeof tokenSchema>;

const NEW_TOKEN: TokenValues = {
  name: '',
  purpose: 'api',
  levels: {},
  siteType: 'subdomain',
  site: '',
  days: '90',
  allowedIps: '',
  isLimited: false,
  projects: [],
};

/**
 * The fields of a new token. @param site the site that the token publishes, such as `subdomain:loja`. Any other text
 * stands for no site.
 */
export function createTokenValues(site: string | null): TokenValues {
  const [type, key] = site?.split(':') ?? [];
  const siteType = SITE_TYPES.find((candidate) => candidate === type);
  return siteType && key ? { ...NEW_TOKEN, purpose: 'deploy', siteType, site: key } : NEW_TOKEN;
}

export const toTokenValues = ({ name, scopes, site, allowedIps, projects }: Token): TokenValues => ({
  name,
  purpose: scopes.includes('deploy') ? 'deploy' : 'api',
  levels: toLevels(scopes),
  siteType: site?.type ?? 'subdomain',
  site: (site?.type === 'subdomain' ? site.label : site?.id) ?? '',
  days: KEEP_EXPIRY,
  allowedIps: allowedIps.join('\n'),
  isLimited: projects !== null,
  projects: projects ?? [],
});

function toSiteInput({ purpose, siteType: type, site }: TokenValues) {
  if (purpose === 'api') return null;
  return type === 'subdomain' ? { type, label: site.trim() } : { type, id: site };
}

/** Converts form values to the input of a mutation, without the expiry of the token. */
export const toTokenInput = (values: TokenValues) => ({
  name: values.name.trim(),
  scopes: values.purpose === 'deploy' ? ['deploy'] : toScopes(values.levels),
  site: toSiteInput(values),
  projects: values.isLimited ? values.projects : null,
  allowedIps: splitEntries(values.allowedIps, ADDRESS_SEPARATOR),
});

/** Returns the instant that is this number of days from now, in ISO 8601. */
export const getExpiry = (days: string): string => new Date(Date.now() + Number(days) * DAY_MS).toISOString();
