import { Drawer } from '@chakra-ui/react';
import type { RequestSubject } from '../../lib/routing/useShowRequests';
import { Modal } from '../../ui/dialog/Modal';
import { requestsMessages as messages } from './gateway-requests.messages';
import { RequestLog } from './RequestLog';
import { useSubjectName } from './useRequestLog';

interface RequestsDrawerProps {
  subject: RequestSubject;
  /** Initial filter, for example `5xx`. */
  status: string;
  onClose: () => void;
}

/** A drawer with the last requests of one subject (key, route, subdomain, tenant) or of all subjects. */
export default function RequestsDrawer({ subject, status, onClose }: RequestsDrawerProps) {
  const name = useSubjectName(subject);
  return (
    <Modal title={name ? messages.titleOf(name) : messages.title} width={880} placement="side" onClose={onClose}>
      <Drawer.Body>
        <RequestLog subject={subject} initialStatus={status} />
      </Drawer.Body>
    </Modal>
  );
}
