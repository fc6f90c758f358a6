import type { SubdomainInput, SubdomainType } from '../../generated/graph';
import type { SuggestSubdomainMutation } from './generated/subdomains';

/** What is typed in the wizard; numbers are text until they are sent. */
export interface SubdomainValues {
  /** Step 1. */
  prompt: string;
  subdomain: string;
  description: string;
  type: SubdomainType;
  port: string;
  staticPath: string;
  apiPort: string;
  targetHost: string;
  targetPort: string;
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

/** A port as the server takes it; what is no number is left out, and the server says which field is missing. */
const port = (text: string): number | undefined => (/^\d+$/.test(text.trim()) ? Number(text) : undefined);

/** What creation sends: only the fields of the chosen type, ports as numbers, `apiPort` only if filled (product-spec §5). */
export function subdomainInput(values: SubdomainValues): SubdomainInput {
  const { type } = values;
  const common = { subdomain: values.subdomain.trim(), description: values.description.trim(), type };
  if (type === 'proxy') return { ...common, port: port(values.port) };
  if (type === 'tunnel')
    return { ...common, targetHost: values.targetHost.trim(), targetPort: port(values.targetPort) };
  const apiPort = port(values.apiPort);
  return { ...common, staticPath: values.staticPath.trim(), ...(apiPort === undefined ? {} : { apiPort }) };
}

/** The form as a suggestion fills it. */
export function suggestedValues({ source: _, ...suggestion }: SuggestSubdomainMutation['suggestSubdomain']) {
  const text = (value: string | number | null) => (value === null ? '' : String(value));
  return {
    subdomain: suggestion.subdomain,
    description: suggestion.description,
    type: suggestion.type,
    port: text(suggestion.port),
    staticPath: text(suggestion.staticPath),
    apiPort: text(suggestion.apiPort),
    targetHost: text(suggestion.targetHost),
    targetPort: text(suggestion.targetPort),
  } satisfies Partial<SubdomainValues>;
}
