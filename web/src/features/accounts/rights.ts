import { array, boolean, picklist, string } from 'valibot';

export const ROLES = ['viewer', 'operator', 'administrator'] as const;
type Role = (typeof ROLES)[number];

/** Role and projects as a form has them. */
export interface RightsValues {
  role: Role;
  isLimited: boolean;
  projects: string[];
}

export const rightsEntries = { role: picklist(ROLES), isLimited: boolean(), projects: array(string()) };

/** A limited account has at least one project; without any it could do nothing. */
export const hasProjects = ({ isLimited, projects }: RightsValues): boolean => !isLimited || projects.length > 0;

export const rightsOf = (role: Role, projects: readonly string[] | null | undefined): RightsValues => ({
  role,
  isLimited: projects != null,
  projects: [...(projects ?? [])],
});

/** Null for everything. */
export const rightsInput = ({ role, isLimited, projects }: RightsValues) => ({
  role,
  projects: isLimited ? projects : null,
});
