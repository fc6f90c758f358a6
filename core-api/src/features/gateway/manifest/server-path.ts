import { z } from 'zod';
import { parseUrl } from '../../../platform/net/parse-url';

const server = z.object({
  url: z.string(),
  variables: z
    .record(z.string(), z.object({ default: z.union([z.string(), z.number()]).optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});

/** Schema of the first server of an OpenAPI `servers` list; undefined if the list is absent, empty or malformed. */
export const firstServer = z
  .tuple([server], z.unknown())
  .transform(([first]) => first)
  .optional()
  .catch(undefined);
type Server = NonNullable<z.output<typeof firstServer>>;

/** Placeholder for a variable without a value; no real host or path contains it. */
const UNSET = 'variable-without-a-value';
/** A host name or IPv4 address without a scheme. The last label of a name begins with a letter, unlike in `v1.0`. */
const HOST_NAME = /^(?:(?:[\w-]+\.)+[a-z][\w-]*|(?:\d+\.){3}\d+)(?::\d+)?(?:\/|$)/i;

/** Location of a server: its host with any port (absent for a relative URL), and the path prefix of its operations. */
export interface ServerLocation {
  host?: string;
  path: string;
  /** The last variable without a default, if `path` contains such a variable and is therefore unknown. */
  unsetVariable?: string;
}

/**
 * Reads a server's URL; another text gives an empty path. Variables take their defaults. A relative URL is resolved
 * against `ownPath`, the path of the service. A leading `ownPath` is removed, because the gateway prepends it again.
 */
export function resolveServerUrl({ url, variables }: Server, ownPath: string): ServerLocation {
  const unsetVariables: string[] = [];
  const expandedUrl = url.trim().replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = variables?.[name]?.default;
    if (value !== undefined) return String(value);
    unsetVariables.push(name);
    return UNSET;
  });
  const absoluteUrl = HOST_NAME.test(expandedUrl) ? `//${expandedUrl}` : expandedUrl;
  const base = `http://service${ownPath}/`;
  const parsedUrl = parseUrl(absoluteUrl, base);
  if (!parsedUrl || /\s|^,/.test(absoluteUrl)) return { path: '' };
  const path = parsedUrl.pathname.replace(/\/+$/, '');
  return {
    ...(parsedUrl.host !== 'service' && { host: parsedUrl.host }),
    path: path === ownPath || path.startsWith(`${ownPath}/`) ? path.slice(ownPath.length) : path,
    ...(path.includes(UNSET) && { unsetVariable: unsetVariables.at(-1) }),
  };
}
