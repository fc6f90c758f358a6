import { useRequestsDialog } from '../lib/useShowRequests';
import { lazyDialog } from '../ui/dialog/lazyDialog';

const RequestsDrawer = lazyDialog(() => import('../features/gateway-requests/RequestsDrawer'));

/** Where the last requests are shown, whichever screen asks for them (`useShowRequests`). */
export function RequestsHost() {
  const { subject, close } = useRequestsDialog();
  return subject && <RequestsDrawer key={`${subject.kind}${subject.id}`} subject={subject} onClose={close} />;
}
