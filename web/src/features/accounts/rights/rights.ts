import { array, boolean, check, forward, type InferOutput, object, picklist, pipe, string } from 'valibot';
import { accountsMessages } from '../accounts.messages';

export const ROLES = ['viewer', 'operator', 'administrator'] as const;
type Role = (typeof ROLES)[number];

/** The form values for role and projects. */
export const rightsSchema = pipe(
  object({ role: picklist(ROLES), isLimited: boolean(), projects: array(string()) }),
  // A limit without projects is refused, because such an account could do nothing.
  forward(
    check(({ isLimited, projects }) => !isLimited || projects.length > 0, accountsMessages.rights.projectsRequired),
    ['projects'],
  ),
);
export type RightsValues = InferOutput<typeof rightsSchema>;

export const toRightsValues = (role: Role, projects: readonly string[] | null | undefined): RightsValues => ({
  role,
  isLimited: projects != null,
  projects: [...(projects ?? [])],
});

/** Converts form values to the input of a mutation. Without a limit, `projects` is null. */
export const toRightsInput = ({ role, isLimited, projects }: RightsValues) => ({
  role,
  projects: isLimited ? projects : null,
});
