import type { Core } from './core/client';

/** The graph's `Installation`; defined here since the generated types import the context. */
interface Installation {
  baseDomain: string;
  sitesDomain: string;
  brandName: string;
  serverIp: string | null;
  serverIps: string[];
}

/** Context of the resolvers, one per request. */
export interface Context {
  requestId: string;
  core: Core;
  installation: Installation;
}
