import type { Core } from './core/client';
import type { Installation } from './graph/generated/resolvers';

/** What resolvers may use, made anew for each request. */
export interface Context {
  requestId: string;
  core: Core;
  installation: Installation;
}
