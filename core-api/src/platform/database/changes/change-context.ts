import type { EntityManager } from 'typeorm';

/** Ids of the projects that a caller may see and change; null or undefined for everything. */
export type ProjectLimit = readonly string[] | null | undefined;

/** @param projectId null for a site outside of all projects, which no limit permits */
export const permitsProject = (limit: ProjectLimit, projectId: string | null): boolean =>
  !limit || (projectId !== null && limit.includes(projectId));

/** The author of a write, for the audit trail and the log. */
export interface ChangeContext {
  /** Username of the account, or name of the command. */
  actor: string;
  requestId: string;
  /** Address of the client; empty for a command. */
  address: string;
  /** The version that the author has read (`If-Match`). If absent, the row may have any version. */
  expectedVersion?: number | undefined;
  projects?: ProjectLimit;
  /** The API token that acts for the account. */
  token?: { _id: string; name: string } | null;
  /**
   * Reads the author's rights again, in the transaction of the change. Resolves to the error of the response if the
   * author has lost some of them since the request was admitted.
   */
  checkRights?: (manager: EntityManager) => Promise<Error | undefined>;
}
