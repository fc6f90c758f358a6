import type { tokensMessages } from './tokens.messages';

/** Rights to a resource. Each level includes the previous levels. */
export const LEVELS = ['none', 'read', 'write', 'delete'] as const;
export type Level = (typeof LEVELS)[number];

const EDITABLE_LEVELS: readonly Level[] = ['none', 'read', 'write'];
const READABLE_LEVELS: readonly Level[] = ['none', 'read'];

export type Resource = keyof typeof tokensMessages.resources;

/** The resources of scopes, with the levels that each has (contract §6). */
export const RESOURCES: readonly { id: Resource; levels: readonly Level[] }[] = [
  { id: 'subdomains', levels: LEVELS },
  { id: 'projects', levels: LEVELS },
  { id: 'tenants', levels: LEVELS },
  { id: 'gateway', levels: LEVELS },
  { id: 'keys', levels: LEVELS },
  { id: 'contacts', levels: LEVELS },
  { id: 'hosts', levels: EDITABLE_LEVELS },
  { id: 'alerts', levels: EDITABLE_LEVELS },
  { id: 'backups', levels: EDITABLE_LEVELS },
  { id: 'settings', levels: EDITABLE_LEVELS },
  { id: 'metrics', levels: READABLE_LEVELS },
  { id: 'audit', levels: READABLE_LEVELS },
];

const LEVEL_RIGHTS: Record<Level, readonly string[]> = {
  none: [],
  read: ['read'],
  write: ['write'],
  delete: ['write', 'delete'],
};

/** The scopes for the chosen levels; write includes read. */
export const toScopes = (levels: Partial<Record<string, Level>>): string[] =>
  RESOURCES.flatMap(({ id }) => LEVEL_RIGHTS[levels[id] ?? 'none'].map((right) => `${id}:${right}`));

/** The level of each resource that these scopes grant. */
export const toLevels = (scopes: readonly string[]): Record<string, Level> =>
  Object.fromEntries(
    RESOURCES.map(({ id, levels }) => [id, levels.findLast((level) => scopes.includes(`${id}:${level}`)) ?? 'none']),
  );

/** Returns shell commands that use the token: a publication of a site, or a call of REST and a query of GraphQL. */
export function formatExample(scopes: readonly string[], token: string, origin: string): string {
  const authorization = `-H 'Authorization: Bearer ${token}'`;
  if (scopes.includes('deploy'))
    return `tar -cz -C dist . | curl -fsS --data-binary @- ${authorization} -H 'Content-Type: application/gzip' ${origin}/api/deploy`;
  const query = JSON.stringify({ query: '{ me { username role token { name scopes } } }' });
  return [
    `curl -fsS ${authorization} ${origin}/api/me`,
    `curl -fsS ${authorization} -H 'Content-Type: application/json' -d '${query}' ${origin}/graphql`,
  ].join('\n');
}
