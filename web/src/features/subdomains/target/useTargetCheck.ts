import { useCallback } from 'react';
import { evictFields } from '../../../lib/graphql/client/evictFields';
import { useCheckSubdomainMutation } from '../generated/subdomains';

/** Returns a function that checks a target and updates its row. The overview then reads its data again. */
export function useTargetCheck() {
  const [check] = useCheckSubdomainMutation({ update: evictFields('overview') });
  return useCallback(
    async (subdomain: string) => (await check({ variables: { subdomain } })).data?.checkSubdomain,
    [check],
  );
}
