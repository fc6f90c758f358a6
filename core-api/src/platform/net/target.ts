import type { StaticRules } from './static-root';

/** Types of a subdomain's target: a local port, a folder of files, or another host (product §3). */
export const targetTypes = ['proxy', 'static', 'tunnel'] as const;
export type TargetType = (typeof targetTypes)[number];

/** The reason why an edge does not serve a stored entity. `own` means that the target is a port of this installation. */
export type SiteRefusal = 'own' | 'unusable';

export interface TargetRules {
  /** Ports of the installation itself, which are never a target. */
  ownPorts: readonly number[];
  staticRules: StaticRules;
  /** Returns whether every file of a version is on this machine. */
  isVersionComplete?: (versionId: string) => Promise<boolean>;
}
