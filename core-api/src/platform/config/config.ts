import { resolve } from 'node:path';
import { z } from 'zod';
import { parseAddress, parseAddressBlock } from '../net/address';
import { isNameServer, parseHostPort } from '../net/host-port';
import { decodeKey, isLongEnough } from '../secrets/secret-text';
import { isTimeZone } from '../time/local-time';
import { domain, duration, httpUrl, list, name, port, wholeNumber } from './config-fields';

/** Thrown if the configuration is invalid. The start then fails with one line per violation, without a stack. */
export class ConfigError extends Error {
  constructor(readonly violations: string[]) {
    super(violations.join('\n'));
  }
}

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/**
 * Every environment variable of the core and the edge with its description. A script writes the README's
 * table from the descriptions, and takes the default from "; … when unset". The BFF also reads some variables and must
 * accept the same values (scripts/checks/config.test.ts).
 */
export const variables = z.object({
  PORT: port(3000).describe('Port of the edge, which serves every public host'),
  BFF_PORT: port(3001).describe('Port of the BFF'),
  CORE_PORT: port(3002).describe('Port of the REST core'),
  EDGE_ADMIN_PORT: port(3003).describe('Port of the edge’s health, metrics and `/ask` for Caddy’s on-demand TLS'),
  EDGE_ADMIN_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Bind address of `EDGE_ADMIN_PORT`; anything but loopback needs `EDGE_ADMIN_TOKEN`'),
  EDGE_ADMIN_TOKEN: z
    .string()
    .min(16, 'deve ter ao menos 16 caracteres')
    .optional()
    .describe(
      'Bearer token with which other machines read `/ask`, and `/metrics` of all three processes. `/ask` also accepts it as `?token=`; none when unset',
    ),
  EDGE_SOCKET: z
    .string()
    .regex(/^\/[^\0]{1,106}$/, 'deve ser o caminho absoluto de um socket, com até 107 bytes')
    .optional()
    .describe('Path of a further Unix socket. Its peers are trusted like `TRUSTED_PROXIES`; none when unset'),
  HOST: z.string().optional().describe('Bind address of the edge; all interfaces when unset'),
  CORE_HOST: z.string().default('127.0.0.1').describe('Bind address of the core'),
  BFF_HOST: z.string().default('127.0.0.1').describe('Bind address of the BFF; the edge connects to this address'),
  CORE_URL: httpUrl.optional().describe('URL of the core for BFF and edge; `http://127.0.0.1:CORE_PORT` when unset'),
  BASE_DOMAIN: domain.default('localhost').describe('The studio’s own domain: site, console and API'),
  SITES_DOMAIN: domain
    .optional()
    .describe('Domain below which subdomains, tenants and previews have their hosts; `BASE_DOMAIN` when unset'),
  PUBLIC_URL: httpUrl
    .optional()
    .describe(
      'URL of the studio’s site, which the OpenAPI document and the message at the start show; the origin of each request when unset',
    ),
  DATA_DIR: z.string().min(1).default('./data').describe('Folder of the database, the secrets and the sites'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'deve começar com postgres://')
    .optional()
    .describe('`postgres://…` for PostgreSQL; SQLite in `DATA_DIR` when unset'),
  ADMIN_USERNAME: name.optional().describe('Name of the first administrator; `admin` when unset'),
  ADMIN_PASSWORD: z
    .string()
    .min(1)
    .max(512, 'pode ter no máximo 512 caracteres')
    .optional()
    .describe('Password of the first administrator; random, shown once when unset'),
  JWT_SECRET: z
    .string()
    .refine(isLongEnough, 'deve ter ao menos 32 bytes')
    .optional()
    .describe('Secret that signs the session tokens, at least 32 bytes; generated into `DATA_DIR` when unset'),
  SETTINGS_KEY: z
    .string()
    .refine((text) => decodeKey(text) !== undefined, 'deve ter 32 bytes, em base64 ou hexadecimal')
    .optional()
    .describe(
      'Key that encrypts secrets in the database: 32 bytes in base64 or hexadecimal; generated into `DATA_DIR` when unset',
    ),
  JWT_TTL: duration('12h', '30m ou 12h').describe('Lifetime of a session token, at most 12 hours'),
  SUDO_TTL: duration('10m', '30s ou 10m').describe(
    'Time after `POST /me/sudo` for which the session is not asked for the password again',
  ),
  TOKEN_MAX_DAYS: wholeNumber(0, 36_500)
    .default(366)
    .describe(
      'Longest lifetime of an API token in days; `0` sets no limit and permits tokens that never expire; 366 when unset',
    ),
  TRUSTED_PROXIES: list()
    .refine((entries) => entries.every((entry) => parseAddressBlock(entry)), 'deve ser uma lista de IPs ou blocos CIDR')
    .describe('IPs or CIDR blocks, comma-separated, whose `X-Forwarded-For` is trusted; none when unset'),
  STATIC_ROOTS: z
    .string()
    .optional()
    .describe(
      'Colon-separated folders that static paths must lie in; `DATA_DIR/sites:/srv:/var/www:/home:/opt` when unset',
    ),
  EDGE_WORKERS: wholeNumber(1, 64).optional().describe('Worker processes of the edge; one per core when unset'),
  ACCESS_LOG: z
    .string()
    .default('stdout')
    .describe('Destination of one log line per request at the edge: `stdout`, `off`, or a file'),
  TELEGRAM_API_URL: httpUrl.prefault('https://api.telegram.org').describe('Telegram Bot API'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'deve começar com smtp:// ou smtps://')
    .optional()
    .describe('Mail server for contact messages'),
  CONTACT_EMAIL_FROM: z.email('deve ser um e-mail').optional().describe('Sender of contact messages'),
  CONTACT_EMAIL_TO: z.email('deve ser um e-mail').optional().describe('Receiver of contact messages'),
  CONTACT_RETENTION_DAYS: wholeNumber(1, 36_500).default(730).describe('Days after which contact messages are removed'),
  AI_BASE_URL: httpUrl.optional().describe('OpenAI-compatible endpoint for suggestions'),
  AI_API_KEY: z.string().optional().describe('API key for `AI_BASE_URL`'),
  AI_MODEL: z.string().default('gpt-4o-mini').describe('Model that suggestions use'),
  BRAND_NAME: name.default('Estúdio Sete').describe('Name of the studio'),
  SERVER_IP: list()
    .refine((entries) => entries.every((entry) => parseAddress(entry)), 'deve ser uma lista de endereços IP')
    .describe('Public IPv4 and IPv6 addresses, comma-separated, that custom domains must point to; none when unset'),
  DNS_SERVERS: list()
    .refine((entries) => entries.every(isNameServer), 'deve ser uma lista de endereços IP, cada um com ou sem porta')
    .describe('DNS servers, comma-separated, that resolve custom domains; the system’s when unset'),
  TLS_CHECK_ADDRESS: z
    .string()
    .default('127.0.0.1:443')
    .refine((text) => parseHostPort(text) !== undefined, 'deve ser um endereço com porta, como 127.0.0.1:443')
    .transform((text) => parseHostPort(text) ?? { host: '127.0.0.1', port: 443 })
    .describe('Address at which the core checks the certificates of custom domains; `127.0.0.1:443` when unset'),
  WITNESS_ADDRESSES: list()
    .refine(
      (entries) => entries.every((entry) => parseHostPort(entry) !== undefined),
      'deve ser uma lista de endereços com porta, como 1.1.1.1:443',
    )
    .transform((entries) => entries.flatMap((entry) => parseHostPort(entry) ?? []))
    .describe(
      'Addresses with ports, comma-separated. While this machine can connect to none of them, failed checks of targets on other machines raise no alert; none when unset',
    ),
  HEARTBEAT_URL: httpUrl
    .optional()
    .describe(
      'URL that the core requests each minute while the installation works, so that an outside service notices an outage; none when unset',
    ),
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'deve ser um fuso horário, como America/Sao_Paulo')
    .default('America/Sao_Paulo')
    .describe('Time zone of days, schedules and weekly maintenance windows'),
  HEALTH_INTERVAL_S: wholeNumber(0, 3600)
    .default(60)
    .describe('Seconds between two health checks of a target; `0` switches them off; 60 when unset'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe('OpenTelemetry collector that gets traces over HTTP; the other standard `OTEL_*` variables apply too'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'], { error: 'deve ser http/protobuf ou http/json' })
    .default('http/protobuf')
    .describe('Protocol of the collector: `http/protobuf` or `http/json`; gRPC is not supported'),
  OTEL_SDK_DISABLED: z
    .string()
    .default('false')
    .transform((text) => text.toLowerCase() === 'true')
    .describe('`true` switches traces off'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `deve ser ${LOG_LEVELS.join(', ')}` })
    .default('info')
    .describe(
      `Least severe level that is logged: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}; \`info\` includes the access log`,
    ),
});

/** Root folder of the program. The relative path is the same from this source and from its compiled file. */
const PROGRAM_FOLDER = resolve(__dirname, '../../../..');

export type Config = ReturnType<typeof readConfig>;

/** Reads the variables. An empty variable counts as unset. @throws ConfigError with all invalid variables */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const nonEmptyVariables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = variables.safeParse(nonEmptyVariables);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
  }
  const { STATIC_ROOTS, ...config } = result.data;
  const staticRoots = (STATIC_ROOTS ?? `${config.DATA_DIR}/sites:/srv:/var/www:/home:/opt`).split(':').filter(Boolean);
  return {
    ...config,
    STATIC_ROOTS: staticRoots,
    STATIC_RULES: { staticRoots, dataDir: config.DATA_DIR, installation: PROGRAM_FOLDER },
    SITES_DOMAIN: config.SITES_DOMAIN ?? config.BASE_DOMAIN,
    CORE_URL: config.CORE_URL ?? `http://127.0.0.1:${config.CORE_PORT}`,
    OWN_PORTS: [config.PORT, config.BFF_PORT, config.CORE_PORT, config.EDGE_ADMIN_PORT],
  };
}
