import { Button, Dialog } from '@chakra-ui/react';
import { useQueryState } from '../../lib/useQueryState';
import { Modal } from '../../ui/dialog/Modal';
import { QueryState } from '../../ui/feedback/QueryState';
import { Chip } from '../../ui/list/Chip';
import { uiMessages } from '../../ui/ui.messages';
import { useVersionChangesQuery, type VersionChangesQuery } from './generated/versions';
import type { Version } from './versionColumns';
import { versionsMessages } from './versions.messages';
import styles from './versions.module.css';

const { changes: messages } = versionsMessages;
const COLORS = { added: 'green', changed: 'blue', removed: 'red' } as const;

function Changes({ since, added, changed, removed, paths }: VersionChangesQuery['versionChanges']) {
  const total = added + changed + removed;
  return (
    <>
      <p>{since === null ? messages.first : messages.since(since)}</p>
      <p>{total === 0 ? messages.none : messages.counts(added, changed, removed)}</p>
      <ul className={styles.changes}>
        {paths.map(({ path, change }) => (
          <li key={path}>
            <Chip color={COLORS[change]}>{messages.kinds[change]}</Chip>
            <code>{path}</code>
          </li>
        ))}
      </ul>
      {total > paths.length && <p>{messages.more(total - paths.length)}</p>}
    </>
  );
}

/** The files in which a version differs from the one before it. */
export default function ChangesDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const { data, state } = useQueryState(useVersionChangesQuery({ variables: { id: version._id } }), {
    fallback: messages.failure,
  });
  return (
    <Modal title={messages.title(version.number)} width={600} onClose={onClose}>
      <Dialog.Body>
        <QueryState {...state}>{data && <Changes {...data.versionChanges} />}</QueryState>
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={onClose}>
          {uiMessages.close}
        </Button>
      </Dialog.Footer>
    </Modal>
  );
}
