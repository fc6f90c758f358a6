import { Button, chakra, Dialog, Flex, Grid } from '@chakra-ui/react';
import { useQueryState } from '../../lib/graphql/query/useQueryState';
import { Chip } from '../../ui/cells/Chip';
import { Modal } from '../../ui/dialog/Modal';
import { QueryState } from '../../ui/feedback/QueryState';
import { uiMessages } from '../../ui/ui.messages';
import { useVersionChangesQuery, type VersionChangesQuery } from './generated/versions';
import type { Version } from './versionColumns';
import { versionsMessages } from './versions.messages';

const { changes: messages } = versionsMessages;
const COLORS = { added: 'green', changed: 'blue', removed: 'red' } as const;

function Changes({ since, added, changed, removed, paths }: VersionChangesQuery['versionChanges']) {
  const total = added + changed + removed;
  return (
    <>
      <p>{since === null ? messages.first : messages.since(since)}</p>
      <p>{total === 0 ? messages.none : messages.counts(added, changed, removed)}</p>
      <Grid as="ul" gap="1.5" mt="3">
        {paths.map(({ path, change }) => (
          <Flex as="li" key={path} align="baseline" gap="2">
            <Chip color={COLORS[change]}>{messages.kinds[change]}</Chip>
            <chakra.code minW="0" textStyle="xs" overflowWrap="anywhere">
              {path}
            </chakra.code>
          </Flex>
        ))}
      </Grid>
      {total > paths.length && <p>{messages.more(total - paths.length)}</p>}
    </>
  );
}

/** The files in which a version differs from the previous version. */
export default function ChangesDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const { data, state } = useQueryState(useVersionChangesQuery({ variables: { id: version._id } }), {
    failureMessage: messages.failure,
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
