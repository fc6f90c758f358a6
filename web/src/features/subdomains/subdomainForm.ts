import { boolean, check, forward, type InferOutput, intersect, object, picklist, pipe, string } from 'valibot';
import type { SubdomainChanges, SubdomainInput, SubdomainSource, SubdomainType } from '../../generated/graph';
import { requiredText, toPort } from '../../ui/form/schema/schemas';
import { uiMessages } from '../../ui/ui.messages';
import type { SubdomainRowFragment, SuggestSubdomainMutation } from './generated/subdomains';

const targetFields = object({
  type: picklist<SubdomainType[]>(['proxy', 'static', 'tunnel']),
  port: string(),
  source: picklist<SubdomainSource[]>(['folder', 'versions']),
  staticPath: string(),
  apiPort: string(),
  targetHost: string(),
  targetPort: string(),
  spaFallback: boolean(),
});

/** The target of a subdomain as it is typed. Numbers are text until they are sent. */
export type TargetValues = InferOutput<typeof targetFields>;

/** Whether the site serves published versions instead of a folder of the server. */
export const servesVersions = ({ type, source }: Pick<TargetValues, 'type' | 'source'>): boolean =>
  type === 'static' && source === 'versions';

/** Whether a site with health checks awaits its first version. Until then the core does not check the site. */
export const awaitsFirstVersion = (row: SubdomainRowFragment): boolean =>
  servesVersions(row) && row.healthCheck && row.health.checkedAt === null;

type RequiredField = 'port' | 'staticPath' | 'targetHost' | 'targetPort';

const requireIf = <Field extends RequiredField>(field: Field, isRequired: (values: TargetValues) => boolean) =>
  forward(
    check((values: TargetValues) => !isRequired(values) || values[field].trim() !== '', uiMessages.required),
    [field],
  );

const targetSchema = pipe(
  targetFields,
  requireIf('port', ({ type }) => type === 'proxy'),
  requireIf('staticPath', (target) => target.type === 'static' && !servesVersions(target)),
  requireIf('targetHost', ({ type }) => type === 'tunnel'),
  requireIf('targetPort', ({ type }) => type === 'tunnel'),
);

export const subdomainChangesSchema = intersect([
  targetSchema,
  object({ description: requiredText(), paused: boolean(), healthCheck: boolean() }),
]);

/** The fields of the wizard. `prompt` is the text that the administrator types in step 1. */
export const subdomainSchema = intersect([
  targetSchema,
  object({ prompt: string(), subdomain: requiredText(), description: requiredText() }),
]);

type ChangedValues = TargetValues & { description: string };
export type SubdomainValues = InferOutput<typeof subdomainSchema>;

export const emptySubdomain: SubdomainValues = {
  prompt: '',
  subdomain: '',
  description: '',
  type: 'proxy',
  port: '',
  source: 'folder',
  staticPath: '',
  apiPort: '',
  targetHost: '',
  targetPort: '',
  spaFallback: true,
};

/** Host and port of a pasted URL such as `https://app.exemplo.com.br/`; undefined for a plain host. */
export function parsePastedUrl(text: string): { host: string; port: string } | undefined {
  if (!/^\s*https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port || (protocol === 'https:' ? '443' : '80') };
}

/** Converts the target to the input of the server: only the fields of the chosen type (product §5). */
export function toTargetInput(values: TargetValues) {
  const { type } = values;
  if (type === 'proxy') return { type, port: toPort(values.port) };
  if (type === 'static') return { type, staticPath: values.staticPath.trim(), apiPort: toPort(values.apiPort) };
  return { type, targetHost: values.targetHost.trim(), targetPort: toPort(values.targetPort) };
}

export const toSubdomainChanges = (
  values: ChangedValues,
): SubdomainChanges & Pick<SubdomainInput, 'description' | 'type'> => ({
  description: values.description.trim(),
  ...toTargetInput(values),
  spaFallback: values.type === 'static' ? values.spaFallback : undefined,
});

/** The input of a creation. An empty `apiPort` is left out, and so is the folder of a site that serves versions. */
export function toSubdomainInput(values: SubdomainValues): SubdomainInput {
  const { apiPort, staticPath, ...changes } = toSubdomainChanges(values);
  const hasVersions = servesVersions(values);
  return {
    subdomain: values.subdomain.trim(),
    ...changes,
    source: hasVersions ? 'versions' : undefined,
    staticPath: hasVersions ? undefined : staticPath,
    apiPort: apiPort ?? undefined,
  };
}

type TargetRow = Pick<SubdomainRowFragment, 'type' | 'port' | 'staticPath' | 'apiPort' | 'targetHost' | 'targetPort'>;
/** The fields of a target that a suggestion also has. */
type TargetTexts = Omit<TargetValues, 'source' | 'spaFallback'>;

const toText = (value: string | number | null): string => (value === null ? '' : String(value));
const toTargetValues = ({ type, port, staticPath, apiPort, targetHost, targetPort }: TargetRow): TargetTexts => ({
  type,
  port: toText(port),
  staticPath: toText(staticPath),
  apiPort: toText(apiPort),
  targetHost: toText(targetHost),
  targetPort: toText(targetPort),
});

/** The values of the form for an existing subdomain. */
export const toSubdomainValues = (row: SubdomainRowFragment): ChangedValues => ({
  description: row.description,
  ...toTargetValues(row),
  source: row.source,
  spaFallback: row.spaFallback,
});

export const toSuggestedValues = (suggestion: SuggestSubdomainMutation['suggestSubdomain']) =>
  ({
    subdomain: suggestion.subdomain,
    description: suggestion.description,
    ...toTargetValues(suggestion),
  }) satisfies Partial<SubdomainValues>;
