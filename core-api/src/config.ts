import { z } from 'zod';
import { parseAddressBlock } from './rules/address';

/** A start that cannot succeed until somebody changes the configuration: one line per fault, no stack. */
export class ConfigurationError extends Error {
  constructor(readonly faults: string[]) {
    super(faults.join('\n'));
  }
}

const port = (fallback: number) =>
  z.coerce
    .number('deve ser um número de porta')
    .int('deve ser um número inteiro')
    .min(1, 'deve estar entre 1 e 65535')
    .max(65_535, 'deve estar entre 1 e 65535')
    .default(fallback);

const list = (separator: string, fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) =>
      text
        .split(separator)
        .map((entry) => entry.trim())
        .filter((entry) => entry !== ''),
    );

const address = z.url({ protocol: /^https?$/, error: 'deve ser um endereço http(s)' });

/** Every variable that core-api and the edge read (contract §1), with what it is for. */
export const variables = z.object({
  PORT: port(3000).describe('Port of the edge, the front door'),
  BFF_PORT: port(3001).describe('Port of the BFF'),
  CORE_PORT: port(3002).describe('Port of the REST core'),
  EDGE_ADMIN_PORT: port(3003).describe('Port of the health and metrics of the edge, loopback only'),
  HOST: z.string().optional().describe('Bind address of the edge; all interfaces when unset'),
  CORE_HOST: z.string().default('127.0.0.1').describe('Bind address of the core'),
  BFF_HOST: z.string().default('127.0.0.1').describe('Bind address of the BFF, where the edge finds it'),
  CORE_URL: address.optional().describe('Where BFF and edge find the core'),
  BASE_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'deve ser um nome de domínio')
    .default('localhost')
    .describe('The studio’s own domain'),
  DATA_DIR: z.string().min(1).default('./data').describe('Folder of the database, the secrets and the sites'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'deve começar com postgres://')
    .optional()
    .describe('PostgreSQL address; a SQLite file in DATA_DIR when unset'),
  ADMIN_USERNAME: z.string().trim().min(1).max(100).optional().describe('Name of the first administrator'),
  ADMIN_PASSWORD: z
    .string()
    .min(1)
    .max(512, 'pode ter no máximo 512 caracteres')
    .optional()
    .describe('Password of the first administrator; generated and shown once when unset'),
  JWT_SECRET: z
    .string()
    .refine((text) => Buffer.byteLength(text) >= 32, 'deve ter ao menos 32 bytes')
    .optional()
    .describe('Signs the tokens; generated into DATA_DIR when unset'),
  JWT_TTL: z
    .string()
    .regex(/^[1-9]\d{0,5}[smh]$/, 'deve ser uma duração como 30m ou 12h')
    .default('12h')
    .transform((text) => Number(text.slice(0, -1)) * { s: 1, m: 60, h: 3600 }[text.slice(-1) as 's' | 'm' | 'h'])
    .refine((seconds) => seconds <= 12 * 3600, 'deve ser de no máximo 12h')
    .describe('Life of a token, at most 12h'),
  TRUSTED_PROXIES: list(',', '')
    .refine((entries) => entries.every((entry) => parseAddressBlock(entry)), 'deve ser uma lista de IPs ou blocos CIDR')
    .describe('IPs or CIDR blocks whose X-Forwarded-For is believed'),
  STATIC_ROOTS: z.string().optional().describe('Colon-separated folders that static paths must lie in'),
  EDGE_WORKERS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('Worker processes of the edge; one per core when unset'),
  TELEGRAM_API_URL: address.default('https://api.telegram.org').describe('Telegram Bot API'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'deve começar com smtp:// ou smtps://')
    .optional()
    .describe('Mail server for contact messages'),
  CONTACT_EMAIL_FROM: z.email('deve ser um e-mail').optional().describe('Sender of contact messages'),
  CONTACT_EMAIL_TO: z.email('deve ser um e-mail').optional().describe('Receiver of contact messages'),
  AI_BASE_URL: address.optional().describe('OpenAI-compatible endpoint for suggestions'),
  AI_API_KEY: z.string().optional().describe('Key of that endpoint'),
  AI_MODEL: z.string().default('gpt-4o-mini').describe('Model that is asked'),
  BRAND_NAME: z.string().min(1).default('Estúdio Sete').describe('Name of the studio'),
  SERVER_IP: z.union([z.ipv4(), z.ipv6()]).optional().describe('Public address that custom domains must point to'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Detail of the log'),
});

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError naming each bad variable */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    throw new ConfigurationError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
  }
  const { STATIC_ROOTS, ...rest } = parsed.data;
  return {
    ...rest,
    STATIC_ROOTS: (STATIC_ROOTS ?? `${rest.DATA_DIR}/sites:/srv:/var/www:/home:/opt`).split(':').filter(Boolean),
    CORE_URL: rest.CORE_URL ?? `http://127.0.0.1:${rest.CORE_PORT}`,
    OWN_PORTS: [rest.PORT, rest.BFF_PORT, rest.CORE_PORT, rest.EDGE_ADMIN_PORT],
  };
}
