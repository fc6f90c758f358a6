import { SessionLinks } from './SessionLinks';
import { useSessionCounts } from './useSessionCounts';

export default function CountedSessionLinks() {
  return <SessionLinks {...useSessionCounts()} />;
}
