import { getSiteHost } from '../../../lib/hosts/host';
import { type RemovalOptions, useRemoval } from '../../../lib/notifications/useRemoval';
import { useDeleteSubdomainMutation } from '../generated/subdomains';
import { subdomainsMessages as messages } from '../subdomains.messages';

/** Returns a function from a label to the props of the `ConfirmDialog` that removes the subdomain. */
export function useSubdomainRemoval(
  options: Pick<RemovalOptions<string>, 'onClose' | 'onRemoved' | 'refetch' | 'entity'>,
) {
  const [deleteSubdomain] = useDeleteSubdomainMutation();
  return useRemoval<string>({
    ...options,
    message: (subdomain) => messages.removal.message(getSiteHost(subdomain)),
    send: (subdomain) => deleteSubdomain({ variables: { subdomain } }),
    staleFields: ['overview'],
    success: messages.success.removed,
    failureMessage: messages.failure.remove,
  });
}
