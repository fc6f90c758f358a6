import type { RestSchemas } from '../../core/client';

/** REST types that GraphQL cannot express: enum values with a hyphen, and properties that may be missing. */
export type WwwMode = RestSchemas['Tenant']['wwwMode'];
export type RestLive = NonNullable<RestSchemas['Tenant']['live']>;
