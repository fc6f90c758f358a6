/** Types of the REST core that GraphQL cannot express: names with a hyphen, and keys that may be missing. */
export type WwwMode = 'serve' | 'to-apex' | 'to-www';

export interface RestLive {
  state: 'active' | 'refused' | 'pending';
  reason?: string;
}
