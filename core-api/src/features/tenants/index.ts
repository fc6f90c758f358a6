/** Interface of this feature for other features. */
export type { TenantHealth } from './tenant-health';
export type { TenantsService } from './tenants.service';
