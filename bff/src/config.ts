import { isIP } from 'node:net';
import { z } from 'zod';

const port = z.coerce
  .number({ error: 'deve ser um número' })
  .int('deve ser inteiro')
  .min(1, 'mínimo 1')
  .max(65_535, 'máximo 65535');

const flag = z.enum(['on', 'off'], { error: 'deve ser on ou off' }).transform((value) => value === 'on');

/** An address or a CIDR block; express takes the same notation for its `trust proxy` setting. */
const proxy = z.string().refine((entry) => {
  const [address = '', bits] = entry.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}, 'cada item deve ser um endereço IP ou bloco CIDR');

const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** Every variable that this process reads (contract §1). */
export const variables = z.object({
  /** Port of this process. */
  BFF_PORT: port.default(3001),
  /** Address that this process binds. */
  BFF_HOST: z.string().min(1).default('127.0.0.1'),
  /** Port of the core on this machine, where `CORE_URL` is unset. */
  CORE_PORT: port.default(3002),
  /** Where the core answers. */
  CORE_URL: z.url({ protocol: /^https?$/, error: 'deve ser uma URL http(s)' }).optional(),
  /** The studio's own domain. */
  BASE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/i, 'deve ser um nome de domínio')
    .default('localhost'),
  /** The studio's name, as the pages show it. */
  BRAND_NAME: z
    .string()
    .trim()
    .min(1, 'não pode ser vazio')
    .max(100, 'máximo de 100 caracteres')
    .default('Estúdio Sete'),
  /** Public address that the DNS entries of custom domains must point to. */
  SERVER_IP: z.union([z.ipv4(), z.ipv6()], { error: 'deve ser um endereço IP' }).optional(),
  /** Peers whose forwarding headers are believed; loopback peers always are, because the edge is one. */
  TRUSTED_PROXIES: z.string().default('').transform(list).pipe(z.array(proxy)),
  /** `off` removes the playground, and with it every introspection. */
  PLAYGROUND: flag.default(true),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'deve ser fatal, error, warn, info, debug, trace ou silent',
    })
    .default('info'),
});

export interface Config {
  port: number;
  host: string;
  /** Without a trailing slash. */
  coreUrl: string;
  baseDomain: string;
  brandName: string;
  serverIp: string | null;
  trustedProxies: string[];
  playground: boolean;
  logLevel: string;
}

/** One line per fault, each naming its variable. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from the environment; an empty variable counts as unset.
 * @throws ConfigError
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = variables.safeParse(set);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`).join('\n'));
  }
  const values = result.data;
  return {
    port: values.BFF_PORT,
    host: values.BFF_HOST,
    coreUrl: (values.CORE_URL ?? `http://127.0.0.1:${values.CORE_PORT}`).replace(/\/+$/, ''),
    baseDomain: values.BASE_DOMAIN.toLowerCase(),
    brandName: values.BRAND_NAME,
    serverIp: values.SERVER_IP ?? null,
    trustedProxies: values.TRUSTED_PROXIES,
    playground: values.PLAYGROUND,
    logLevel: values.LOG_LEVEL,
  };
}
