/** Entities in the configuration of the edge. Referenced entities come before the entities that refer to them. */
export const configuredEntities = ['project', 'tenant', 'subdomain', 'version', 'service', 'route', 'key'] as const;
export type ConfiguredEntity = (typeof configuredEntities)[number];
