export type { TenantHealth } from './tenant-health';
export type { TenantsService } from './tenants.service';
