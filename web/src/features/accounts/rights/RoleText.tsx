import { accountsMessages } from '../accounts.messages';
import type { RightsValues } from './rights';

const { rights: messages } = accountsMessages;

/** The role of an account in a list, and the number of projects that limit the account. */
export const RoleText = ({ role, projects }: { role: RightsValues['role']; projects: readonly string[] | null }) => (
  <>
    {messages.roles[role]} {projects && <small>{messages.limitedTo(projects.length)}</small>}
  </>
);
