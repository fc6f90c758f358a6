import { useRequestsDialog } from '../../lib/routing/useShowRequests';
import { lazyDialog } from '../../ui/dialog/lazyDialog';

const RequestsDrawer = lazyDialog(() => import('../../features/gateway-requests/RequestsDrawer'));

/** Shows the drawer of the last requests, which `useShowRequests` opens over any screen. */
export function RequestsOutlet() {
  const { subject, status, close } = useRequestsDialog();
  return (
    subject && <RequestsDrawer key={`${subject.kind}${subject.id}`} subject={subject} status={status} onClose={close} />
  );
}
