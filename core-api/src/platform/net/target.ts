import type { StaticRules } from './static-root';

/** Types of a subdomain's target (product §3): a local port, a folder of files, or another host. */
export const targetTypes = ['proxy', 'static', 'tunnel'] as const;
export type TargetType = (typeof targetTypes)[number];

/**
 * The reason why an edge does not serve a stored entity: its target is the installation itself, or the row cannot be
 * used.
 */
export type SiteRefusal = 'own' | 'unusable';

/** Limits on targets that this installation's configuration sets. */
export interface TargetRules {
  /** Ports of the installation itself, which are never a target. */
  ownPorts: readonly number[];
  staticRules: StaticRules;
  /** Whether every file of a version lies on this machine. */
  isVersionComplete?: (versionId: string) => Promise<boolean>;
}
