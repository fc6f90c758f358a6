/** On whose behalf something is changed. */
export interface ChangeContext {
  /** Name of the account, or of the command. */
  actor: string;
  requestId: string;
  /** Empty for a command. */
  address: string;
  /** The version of the edited thing that this person has seen; any when left out. */
  expectedVersion?: number | undefined;
}
