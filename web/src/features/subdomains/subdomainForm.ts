import type { SubdomainChanges, SubdomainInput, SubdomainType } from '../../generated/graph';
import type { SubdomainRowFragment, SuggestSubdomainMutation } from './generated/subdomains';

/** Where a subdomain leads, as it is typed; numbers are text until they are sent. */
export interface TargetValues {
  type: SubdomainType;
  port: string;
  staticPath: string;
  apiPort: string;
  targetHost: string;
  targetPort: string;
}

/** What is typed to change a subdomain. */
interface ChangedValues extends TargetValues {
  description: string;
}

/** What is typed in the wizard. */
export interface SubdomainValues extends ChangedValues {
  /** Step 1. */
  prompt: string;
  subdomain: string;
}

export const emptySubdomain: SubdomainValues = {
  prompt: '',
  subdomain: '',
  description: '',
  type: 'proxy',
  port: '',
  staticPath: '',
  apiPort: '',
  targetHost: '',
  targetPort: '',
};

/** A port as the server takes it; what is no number is none, and the server says which field is missing. */
const port = (text: string): number | null => (/^\d+$/.test(text.trim()) ? Number(text) : null);

/** What a change sends: only the fields of the chosen type, ports as numbers (product-spec §5). */
export function subdomainChanges(
  values: ChangedValues,
): SubdomainChanges & Pick<SubdomainInput, 'description' | 'type'> {
  const { type } = values;
  const common = { description: values.description.trim(), type };
  if (type === 'proxy') return { ...common, port: port(values.port) };
  if (type === 'static') return { ...common, staticPath: values.staticPath.trim(), apiPort: port(values.apiPort) };
  return { ...common, targetHost: values.targetHost.trim(), targetPort: port(values.targetPort) };
}

/** What creation sends: the same, `apiPort` only if filled. */
export function subdomainInput(values: SubdomainValues): SubdomainInput {
  const { apiPort, ...changes } = subdomainChanges(values);
  return { subdomain: values.subdomain.trim(), ...changes, ...(typeof apiPort === 'number' && { apiPort }) };
}

type Target = Pick<SubdomainRowFragment, 'type' | 'port' | 'staticPath' | 'apiPort' | 'targetHost' | 'targetPort'>;

/** Fields of a subdomain or a suggestion as text. */
const filled = (text: string | number | null): string => (text === null ? '' : String(text));
const targetValues = ({ type, port, staticPath, apiPort, targetHost, targetPort }: Target): TargetValues => ({
  type,
  port: filled(port),
  staticPath: filled(staticPath),
  apiPort: filled(apiPort),
  targetHost: filled(targetHost),
  targetPort: filled(targetPort),
});

/** The form as an existing subdomain fills it. */
export const subdomainValues = (row: SubdomainRowFragment): ChangedValues => ({
  description: row.description,
  ...targetValues(row),
});

/** The form as a suggestion fills it. */
export const suggestedValues = (suggestion: SuggestSubdomainMutation['suggestSubdomain']) =>
  ({
    subdomain: suggestion.subdomain,
    description: suggestion.description,
    ...targetValues(suggestion),
  }) satisfies Partial<SubdomainValues>;
