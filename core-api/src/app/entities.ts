import { getMetadataArgsStorage } from 'typeorm';
import '../features/accounts/account.entity';
import '../features/alerts/alert.entity';
import '../features/alerts/alert-settings.entity';
import '../features/backups/backup.entity';
import '../features/contact/contact.entity';
import '../features/domains/checks/domain-status.entity';
import '../features/domains/site-domain.entity';
import '../features/gateway/keys/key.entity';
import '../features/gateway/requests/request-log.entity';
import '../features/gateway/routes/route.entity';
import '../features/gateway/services/service.entity';
import '../features/gateway/usage/usage.entity';
import '../features/host-policies/host-policy.entity';
import '../features/hosts/host-claim.entity';
import '../features/projects/project.entity';
import '../features/rollout/edge.entity';
import '../features/settings/settings.entity';
import '../features/sites/content/content.entity';
import '../features/sites/site-version.entity';
import '../features/subdomains/subdomain.entity';
import '../features/target-health/target-health.entity';
import '../features/tenants/tenant.entity';
import '../features/tokens/token.entity';
import '../platform/audit/audit-entry.entity';
import '../platform/config-revisions/config-revision.entity';
import '../platform/installation/installation.entity';
import '../platform/jobs/lease.entity';
import '../platform/retention/retention-clock.entity';
import '../platform/secrets/secret-fingerprint.entity';

/**
 * All tables of the database. `@Entity` registers a class when its file is loaded, so this file imports all entities;
 * `platform/database` may not import features.
 */
export const entities = getMetadataArgsStorage().tables.map(({ target }) => target as new () => object);
