import { useCheckSubdomainMutation } from './generated/subdomains';

/** Checks the target of a subdomain now. The result is also shown in the list and in the overview. */
export function useTargetCheck() {
  const [check] = useCheckSubdomainMutation({ update: (cache) => void cache.evict({ fieldName: 'overview' }) });
  return async (subdomain: string) => (await check({ variables: { subdomain } })).data?.checkSubdomain;
}
