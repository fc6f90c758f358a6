import { useCallback } from 'react';
import { evictFields } from '../../../lib/graphql/client/evictFields';
import { useCheckSubdomainMutation } from '../generated/subdomains';

/** Checks the target of a subdomain now. The list shows the result, and the next visit reads the overview again. */
export function useTargetCheck() {
  const [check] = useCheckSubdomainMutation({ update: evictFields('overview') });
  return useCallback(
    async (subdomain: string) => (await check({ variables: { subdomain } })).data?.checkSubdomain,
    [check],
  );
}
