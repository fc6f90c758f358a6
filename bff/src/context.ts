import type { Core } from './core/client';
import type { Installation } from './graph/generated/resolvers';

/** Context of the resolvers, one per request. */
export interface Context {
  requestId: string;
  core: Core;
  installation: Installation;
}
