import { normalise } from '../../lib/normalise';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { servicesMessages as messages } from './gateway-services.messages';
import type { ServiceRowFragment } from './generated/gateway-services';

export interface ServiceValues {
  name: string;
  host: string;
}

/** Limits and policies of a service as typed; lists are separated by commas or lines. */
export interface PolicyValues {
  extraHosts: string;
  healthPath: string;
  timeoutSeconds: string;
  maxBodyMb: string;
  /** The origins that may call; empty: none. */
  cors: string;
  corsHeaders: string;
  corsCredentials: boolean;
  corsMaxAge: string;
}

export const serviceValues = (service?: ServiceRowFragment): ServiceValues => ({
  name: service?.name ?? '',
  host: service?.host ?? '',
});

/** The core's default. */
const MAX_AGE_S = 600;

export const policyValues = ({ cors, ...service }: ServiceRowFragment): PolicyValues => ({
  extraHosts: service.extraHosts.join('\n'),
  healthPath: service.healthPath ?? '',
  timeoutSeconds: String(service.timeoutSeconds),
  maxBodyMb: String(service.maxBodyMb),
  cors: cors?.origins.join('\n') ?? '',
  corsHeaders: cors?.headers.join(', ') ?? '',
  corsCredentials: cors?.credentials ?? false,
  corsMaxAge: String(cors?.maxAgeSeconds ?? MAX_AGE_S),
});

/** `Pedidos & Você` -> `pedidos-voce`, also while it is typed: a hyphen at the end is kept. */
export const slugged = (text: string): string =>
  normalise(text)
    .replace(/-*[^a-z0-9_-][^a-z0-9_]*/g, '-')
    .replace(/^-+/, '');

/** Adds `http://` to a host without a scheme, as the core requires one. */
export function withScheme(host: string): string {
  const trimmed = host.trim();
  return trimmed === '' || trimmed.includes('://') ? trimmed : `http://${trimmed}`;
}

const entries = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Name and host are required (product §5); the core validates their form. */
export function checkService({ name, host }: ServiceValues): FieldErrors {
  const errors: FieldErrors = {};
  if (name.trim() === '') errors.name = messages.nameRequired;
  if (host.trim() === '') errors.host = messages.hostRequired;
  return errors;
}

/** Checks numbers here, since the graph's `Int` cannot carry fractions to the core. */
export function checkPolicies({ timeoutSeconds, maxBodyMb, corsMaxAge }: PolicyValues): FieldErrors {
  const errors: FieldErrors = {};
  const isWhole = (text: string, least: number, most: number) =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
  if (!isWhole(timeoutSeconds, 1, 600)) errors.timeoutSeconds = messages.timeoutWrong;
  if (!isWhole(maxBodyMb, 1, 1024)) errors.maxBodyMb = messages.maxBodyWrong;
  if (!isWhole(corsMaxAge, 0, 86_400)) errors.corsMaxAge = messages.corsMaxAgeWrong;
  return errors;
}

export const serviceInput = ({ name, host }: ServiceValues) => ({
  name: name.trim().replace(/-+$/, ''),
  host: withScheme(host),
});

export const policyInput = (values: PolicyValues) => ({
  extraHosts: entries(values.extraHosts).map(withScheme),
  healthPath: values.healthPath.trim() || null,
  timeoutSeconds: Number(values.timeoutSeconds),
  maxBodyMb: Number(values.maxBodyMb),
  cors:
    values.cors.trim() === ''
      ? null
      : {
          origins: entries(values.cors),
          headers: entries(values.corsHeaders),
          credentials: values.corsCredentials,
          maxAgeSeconds: Number(values.corsMaxAge),
        },
});
