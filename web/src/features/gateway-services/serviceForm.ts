import { boolean, type InferOutput, object, picklist, string } from 'valibot';
import { foldAccents } from '../../lib/format/foldAccents';
import { splitEntries } from '../../lib/format/splitEntries';
import { addScheme } from '../../lib/hosts/domainName';
import { integerText, requiredText } from '../../ui/form/schema/schemas';
import { servicesMessages as messages } from './gateway-services.messages';
import type { ServiceRowFragment } from './generated/gateway-services';

/** Name and host (product §5). The core validates their format. */
const nameAndHost = { name: requiredText(messages.nameRequired), host: requiredText(messages.hostRequired) };
export const serviceSchema = object(nameAndHost);
export type ServiceValues = InferOutput<typeof serviceSchema>;

/**
 * Limits and policies as typed. Commas or line breaks separate the entries of a list. Numbers must be integers, because
 * the graph has them as `Int`.
 */
const policy = {
  extraHosts: string(),
  healthPath: string(),
  timeoutSeconds: integerText(1, 600, messages.timeoutSecondsWrong),
  maxBodyMb: integerText(1, 1024, messages.maxBodyMbWrong),
  /** Origins that may call the service. Empty: the gateway leaves CORS to the service. */
  cors: string(),
  corsHeaders: string(),
  corsCredentials: boolean(),
  corsMaxAge: integerText(0, 86_400, messages.corsMaxAgeWrong),
};
const policySchema = object(policy);
export type PolicyValues = InferOutput<typeof policySchema>;

/** The fields of an existing service. `renameRoutes` says whether the origins below its old name move. */
export const serviceChangesSchema = object({ ...nameAndHost, ...policy, renameRoutes: picklist(['keep', 'move']) });
export type ServiceChanges = InferOutput<typeof serviceChangesSchema>;

export const toServiceValues = (service?: ServiceRowFragment): ServiceValues => ({
  name: service?.name ?? '',
  host: service?.host ?? '',
});

/** The core's default of `maxAgeSeconds`. */
const DEFAULT_MAX_AGE_S = 600;

export const toPolicyValues = ({ cors, ...service }: ServiceRowFragment): PolicyValues => ({
  extraHosts: service.extraHosts.join('\n'),
  healthPath: service.healthPath ?? '',
  timeoutSeconds: String(service.timeoutSeconds),
  maxBodyMb: String(service.maxBodyMb),
  cors: cors?.origins.join('\n') ?? '',
  corsHeaders: cors?.headers.join(', ') ?? '',
  corsCredentials: cors?.credentials ?? false,
  corsMaxAge: String(cors?.maxAgeSeconds ?? DEFAULT_MAX_AGE_S),
});

/**
 * Converts `Pedidos & Você` to `pedidos-voce`. A hyphen at the end is kept, because the text is converted while it is
 * typed.
 */
export const toSlug = (text: string): string =>
  foldAccents(text)
    .replace(/-*[^a-z0-9_-][^a-z0-9_]*/g, '-')
    .replace(/^-+/, '');

const splitLinesAndCommas = (text: string): string[] => splitEntries(text, /[,\n]/);

export const toServiceInput = ({ name, host }: ServiceValues) => ({
  name: name.trim().replace(/-+$/, ''),
  host: addScheme(host),
});

export const toPolicyInput = (values: PolicyValues) => ({
  extraHosts: splitLinesAndCommas(values.extraHosts).map(addScheme),
  healthPath: values.healthPath.trim() || null,
  timeoutSeconds: Number(values.timeoutSeconds),
  maxBodyMb: Number(values.maxBodyMb),
  cors:
    values.cors.trim() === ''
      ? null
      : {
          origins: splitLinesAndCommas(values.cors),
          headers: splitLinesAndCommas(values.corsHeaders),
          credentials: values.corsCredentials,
          maxAgeSeconds: Number(values.corsMaxAge),
        },
});
