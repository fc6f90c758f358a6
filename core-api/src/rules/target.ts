import type { StaticRules } from './static-root';

/** Where a subdomain leads (product §3): a local port, a folder of files, or another host. */
export const targetTypes = ['proxy', 'static', 'tunnel'] as const;
export type TargetType = (typeof targetTypes)[number];

/** Why an edge does not serve an entity although it is stored: its target is the installation itself, or no site can be made of it. */
export type SiteRefusal = 'own' | 'unusable';

/** What this installation's configuration says of targets. */
export interface TargetRules {
  /** Never a target: they are the installation's own. */
  ownPorts: readonly number[];
  staticRules: StaticRules;
}
