import type { Config } from './config';
import type { Core } from './core/client';

/** Context of the resolvers, one per request. */
export interface Context {
  requestId: string;
  core: Core;
  /**
   * The graph's `Installation`. Its generated type cannot be used here, because the generated file imports this file.
   */
  installation: Pick<Config, 'baseDomain' | 'sitesDomain' | 'brandName' | 'serverIps'> & { serverIp: string | null };
}
