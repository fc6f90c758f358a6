/** REST forms that GraphQL does not have: names with a hyphen, and keys that may be missing. */
export type WwwMode = 'serve' | 'to-apex' | 'to-www';

export interface RestLive {
  state: 'active' | 'refused' | 'pending';
  reason?: string;
}
