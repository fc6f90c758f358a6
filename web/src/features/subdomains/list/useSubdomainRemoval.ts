import { getSiteHost } from '../../../lib/hosts/host';
import { useRemoval } from '../../../lib/notifications/useRemoval';
import { useDeleteSubdomainMutation } from '../generated/subdomains';
import { subdomainsMessages as messages } from '../subdomains.messages';

interface SubdomainRemovalOptions {
  onClose: () => void;
  /** Updates the screen before the dialog closes. */
  refetch?: () => Promise<unknown>;
  /** Called with the subdomain when the server has removed it. */
  onRemoved?: (subdomain: string) => void;
}

/** Returns a function from a label to the props of the `ConfirmDialog` that removes the subdomain. */
export function useSubdomainRemoval({ onClose, refetch, onRemoved }: SubdomainRemovalOptions) {
  const [deleteSubdomain] = useDeleteSubdomainMutation();
  return useRemoval<string>({
    message: (subdomain) => messages.removal(getSiteHost(subdomain)),
    send: async (subdomain) => {
      await deleteSubdomain({ variables: { subdomain } });
      onRemoved?.(subdomain);
    },
    refetch,
    staleFields: ['overview'],
    onClose,
    success: messages.success.removed,
    fallback: messages.failure.remove,
  });
}
