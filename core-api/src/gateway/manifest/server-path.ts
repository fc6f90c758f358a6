import { z } from 'zod';

const server = z.object({
  url: z.string(),
  variables: z
    .record(z.string(), z.object({ default: z.union([z.string(), z.number()]).optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});

/** The first server of an OpenAPI `servers` list; nothing for a list that is absent, empty or no list of servers. */
export const firstServer = z
  .tuple([server], z.unknown())
  .transform(([first]) => first)
  .optional()
  .catch(undefined);
type Server = NonNullable<z.output<typeof firstServer>>;

/** Stands for a variable without a value: no host and no path of a document says this. */
const UNSET = 'variable-without-a-value';
const HOST_NAME = /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/;

/** Where a server answers: its host name (absent for a relative address) and the path before each operation's. */
export interface ServerAddress {
  host?: string;
  path: string;
  /** A variable of `path` that has no default; the path is unknown then. */
  unset?: string;
}

/**
 * Reads a server's address. Variables take their defaults; a relative address counts from `ownPath`, the path of the
 * service's host, which is left off at the start because the gateway itself puts it before every destination.
 */
export function serverAddress({ url, variables }: Server, ownPath: string): ServerAddress {
  const unset: string[] = [];
  const filled = url.trim().replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = variables?.[name]?.default;
    if (value !== undefined) return String(value);
    unset.push(name);
    return UNSET;
  });
  const absolute = HOST_NAME.test(filled) ? `//${filled}` : filled;
  const own = `http://service${ownPath}/`;
  if (/\s|^,/.test(absolute) || !URL.canParse(absolute, own)) return { path: '' };
  const { host, pathname } = new URL(absolute, own);
  const path = pathname.replace(/\/+$/, '');
  return {
    ...(host !== 'service' && { host }),
    path: path === ownPath || path.startsWith(`${ownPath}/`) ? path.slice(ownPath.length) : path,
    ...(path.includes(UNSET) && { unset: unset.at(-1) }),
  };
}
