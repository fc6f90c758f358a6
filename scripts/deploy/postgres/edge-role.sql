-- This file grants the edge its rights on PostgreSQL. The edge reads the configuration and writes counts. It cannot reach
-- rows of administrators, sessions, tokens, settings, contact messages and the audit trail.
-- Run this file as the owner of the tables, after the first start of the core and after each upgrade:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f edge-role.sql
-- Then set a password with \password studio_edge, and name the role only in DATABASE_URL of edge.env.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'studio_edge') THEN
    CREATE ROLE studio_edge LOGIN;
  END IF;
END
$$;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM studio_edge;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM studio_edge;
GRANT USAGE ON SCHEMA public TO studio_edge;

-- The schema's version, the installation, and the configuration.
GRANT SELECT ON migrations, installation, configuration_revision, configuration_changes TO studio_edge;
GRANT SELECT ON subdomains, projects, tenants, host_policies, site_versions, site_activations,
  site_domains, domain_status TO studio_edge;
GRANT SELECT ON gateway_services, gateway_routes, gateway_route_methods, api_keys TO studio_edge;

-- The served revision, counts, the request log, and shared limits of keys.
GRANT SELECT, INSERT, UPDATE, DELETE ON edges TO studio_edge;
GRANT UPDATE ("usageCount", "lastUsedAt") ON api_keys TO studio_edge;
GRANT SELECT, INSERT, UPDATE ON usage_subjects, usage_minutes, usage_hours, usage_days, usage_batches, rate_windows
  TO studio_edge;
GRANT SELECT, INSERT, DELETE ON request_log TO studio_edge;
GRANT USAGE ON SEQUENCE usage_subjects_id_seq TO studio_edge;
