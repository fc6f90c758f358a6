import type { RestSchemas } from '../core/client';

/** Types of the REST core that GraphQL cannot express: names with a hyphen, and keys that may be missing. */
export type WwwMode = RestSchemas['Tenant']['wwwMode'];
export type RestLive = NonNullable<RestSchemas['Tenant']['live']>;
