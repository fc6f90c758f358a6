import type { tokensMessages } from './tokens.messages';

/** Rights to a resource. Each level includes the previous ones. */
export const LEVELS = ['none', 'read', 'write', 'delete'] as const;
export type Level = (typeof LEVELS)[number];

const EDITABLE: readonly Level[] = ['none', 'read', 'write'];
const READABLE: readonly Level[] = ['none', 'read'];

export type Resource = keyof typeof tokensMessages.resources;

/** The resources of scopes, with the levels that each has (contract §6). */
export const RESOURCES: readonly { id: Resource; levels: readonly Level[] }[] = [
  { id: 'subdomains', levels: LEVELS },
  { id: 'projects', levels: LEVELS },
  { id: 'tenants', levels: LEVELS },
  { id: 'gateway', levels: LEVELS },
  { id: 'keys', levels: LEVELS },
  { id: 'contacts', levels: LEVELS },
  { id: 'hosts', levels: EDITABLE },
  { id: 'alerts', levels: EDITABLE },
  { id: 'backups', levels: EDITABLE },
  { id: 'settings', levels: EDITABLE },
  { id: 'metrics', levels: READABLE },
  { id: 'audit', levels: READABLE },
];

const SCOPES_OF: Record<Level, readonly string[]> = {
  none: [],
  read: ['read'],
  write: ['write'],
  delete: ['write', 'delete'],
};

/** The scopes for the chosen levels; write includes read. */
export const scopesOf = (levels: Partial<Record<string, Level>>): string[] =>
  RESOURCES.flatMap(({ id }) => SCOPES_OF[levels[id] ?? 'none'].map((right) => `${id}:${right}`));

/** The level of each resource that these scopes grant. */
export const levelsOf = (scopes: readonly string[]): Record<string, Level> =>
  Object.fromEntries(
    RESOURCES.map(({ id, levels }) => [id, levels.findLast((level) => scopes.includes(`${id}:${level}`)) ?? 'none']),
  );

/** An example command for the terminal that uses the token. */
export function exampleOf(scopes: readonly string[], token: string, origin: string): string {
  const authorization = `-H 'Authorization: Bearer ${token}'`;
  if (scopes.includes('deploy'))
    return `tar -cz -C dist . | curl -fsS --data-binary @- ${authorization} -H 'Content-Type: application/gzip' ${origin}/api/deploy`;
  const query = JSON.stringify({ query: '{ me { username role token { name scopes } } }' });
  return [
    `curl -fsS ${authorization} ${origin}/api/me`,
    `curl -fsS ${authorization} -H 'Content-Type: application/json' -d '${query}' ${origin}/graphql`,
  ].join('\n');
}
