import type { QueryRunner } from 'typeorm';
import type { Migration } from './column-types';

/**
 * Adds indexes for the counts of the overview, and for the pages in which the alert job reads open alerts. Without
 * these indexes, SQLite sorted all open alerts for each page.
 */
export class CountsAndPages1700000000172 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    const open = 'WHERE "resolvedAt" IS NULL';
    await runner.query(`CREATE INDEX alerts_open_newest ON alerts ("firedAt", _id) ${open}`);
    await runner.query(`CREATE INDEX alerts_open_by_kind ON alerts (kind, _id) ${open}`);
    await runner.query('CREATE INDEX subdomains_by_target ON subdomains ("targetKey", "healthCheck", paused)');
    // The new indexes below begin with the columns of these two indexes.
    await runner.query('DROP INDEX target_health_confirmed');
    await runner.query('DROP INDEX tenants_project');
    await runner.query('CREATE INDEX target_health_by_confirmed ON target_health (confirmed, target)');
    await runner.query(
      'CREATE INDEX tenants_by_target ON tenants ("projectId", source, "versionId", "healthCheck", paused, name)',
    );
  }
}
