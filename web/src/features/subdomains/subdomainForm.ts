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

/** Where the address leads, as it is sent: only the fields of the chosen type, ports as numbers (product §5). */
export function targetInput(values: TargetValues) {
  const { type } = values;
  if (type === 'proxy') return { type, port: port(values.port) };
  if (type === 'static') return { type, staticPath: values.staticPath.trim(), apiPort: port(values.apiPort) };
  return { type, targetHost: values.targetHost.trim(), targetPort: port(values.targetPort) };
}

/** What a change sends. */
export const subdomainChanges = (
  values: ChangedValues,
): SubdomainChanges & Pick<SubdomainInput, 'description' | 'type'> => ({
  description: values.description.trim(),
  ...targetInput(values),
});

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
