import { isIP } from 'node:net';
import { z } from 'zod';

const port = z.coerce
  .number('deve ser um número de porta')
  .int('deve ser um número inteiro')
  .min(1, 'deve estar entre 1 e 65535')
  .max(65_535, 'deve estar entre 1 e 65535');

/** Accepts the IP addresses and CIDR blocks that Express's `trust proxy` setting accepts. */
function isAddressOrBlock(entry: string): boolean {
  const [address = '', bits, ...moreBits] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || moreBits.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

const splitList = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

const domain = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, 'deve ser um nome de domínio');

/**
 * Every variable of this process. The core accepts the same values for the variables that both processes
 * read (scripts/checks/config.test.ts).
 */
export const variables = z.object({
  /** Port of this process. */
  BFF_PORT: port.default(3001),
  /** IP address that this process binds. */
  BFF_HOST: z.string().min(1).default('127.0.0.1'),
  /** Port of the core on this machine. Used if `CORE_URL` is unset. */
  CORE_PORT: port.default(3002),
  /** URL of the core. */
  CORE_URL: z.url({ protocol: /^https?$/, error: 'deve ser um endereço http(s)' }).optional(),
  /** The studio's own domain. */
  BASE_DOMAIN: domain.default('localhost'),
  /** Parent domain of subdomains and tenants. Default: `BASE_DOMAIN`. */
  SITES_DOMAIN: domain.optional(),
  /** The studio's name, as the pages show it. */
  BRAND_NAME: z
    .string()
    .trim()
    .min(1, 'não pode ser vazio')
    .max(100, 'pode ter no máximo 100 caracteres')
    .default('Estúdio Sete'),
  /** Public addresses of this server, for the DNS entries of custom domains. */
  SERVER_IP: z
    .string()
    .default('')
    .transform(splitList)
    .refine(
      (entries) => entries.every((entry) => isIP(entry) !== 0 && !entry.includes('%')),
      'deve ser uma lista de endereços IP',
    ),
  /** Proxies whose forwarding headers are trusted. Loopback is always trusted, because the edge is on this machine. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(splitList)
    .refine((entries) => entries.every(isAddressOrBlock), 'deve ser uma lista de IPs ou blocos CIDR'),
  PLAYGROUND: z
    .enum(['on', 'off'], { error: 'deve ser on ou off' })
    .default('on')
    .transform((value) => value === 'on')
    .describe('`off` removes the GraphQL playground and introspection'),
  EDGE_ADMIN_TOKEN: z.string().min(16, 'deve ter ao menos 16 caracteres').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'deve ser um endereço http(s)' }).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'], { error: 'deve ser http/protobuf ou http/json' })
    .default('http/protobuf'),
  OTEL_SDK_DISABLED: z
    .string()
    .default('false')
    .transform((text) => text.toLowerCase() === 'true'),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `deve ser ${LOG_LEVELS.join(', ')}` }).default('info'),
});

/** The message has one line for each invalid variable. */
export class ConfigError extends Error {}

export type Config = ReturnType<typeof readConfig>;

/** Reads the configuration from the environment; an empty variable counts as unset. @throws ConfigError */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = variables.safeParse(nonEmpty);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`).join('\n'));
  }
  const values = result.data;
  return {
    port: values.BFF_PORT,
    host: values.BFF_HOST,
    /** The core's URL without a trailing slash. */
    coreUrl: (values.CORE_URL ?? `http://127.0.0.1:${values.CORE_PORT}`).replace(/\/+$/, ''),
    baseDomain: values.BASE_DOMAIN,
    sitesDomain: values.SITES_DOMAIN ?? values.BASE_DOMAIN,
    brandName: values.BRAND_NAME,
    serverIps: values.SERVER_IP,
    trustedProxies: values.TRUSTED_PROXIES,
    playground: values.PLAYGROUND,
    logLevel: values.LOG_LEVEL,
    /** Token with which other machines may read `/metrics`. */
    metricsToken: values.EDGE_ADMIN_TOKEN,
    /** Undefined if no collector is configured or `OTEL_SDK_DISABLED` is set. */
    traceProtocol:
      values.OTEL_EXPORTER_OTLP_ENDPOINT && !values.OTEL_SDK_DISABLED ? values.OTEL_EXPORTER_OTLP_PROTOCOL : undefined,
  };
}
