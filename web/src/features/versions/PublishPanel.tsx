import { Button, chakra, Flex, Grid } from '@chakra-ui/react';
import { FileArchive, FolderUp } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useState } from 'react';
import type { SiteInput } from '../../generated/graph';
import { formatBytes } from '../../lib/format/bytes';
import { trackForm } from '../../lib/forms/unsavedForms';
import { notifyVersion } from '../../lib/notifications/notifySaved';
import { Alert } from '../../ui/feedback/Alert';
import { CheckField } from '../../ui/form/fields/checkFields';
import { FileButton } from '../../ui/form/fields/FileButton';
import { TextField } from '../../ui/form/fields/textFields';
import { useTouchScreen } from '../../ui/layout/mediaQueries';
import { Panel } from '../../ui/layout/Page';
import { type PublishProgress, UploadError } from './publish';
import { getArchiveType, readDrop, type SitePackage, toFilePackage, toSiteFiles } from './sitePackage';
import { usePublication } from './usePublication';
import { versionsMessages } from './versions.messages';

const { publish: messages } = versionsMessages;

/** Refuses a single file that is neither an archive nor a page. @throws UploadError */
function checkPackage(sitePackage: SitePackage): SitePackage {
  const [firstFile, ...otherFiles] = sitePackage.kind === 'folder' ? sitePackage.files : [];
  if (firstFile && otherFiles.length === 0 && !firstFile.path.includes('/') && !/\.html?$/i.test(firstFile.path))
    throw new UploadError(messages.failure.wrongType(firstFile.path));
  return sitePackage;
}

function Progress({ phase, sent, total }: PublishProgress) {
  const text =
    phase === 'sending' ? messages.phases.sending(formatBytes(sent), formatBytes(total)) : messages.phases[phase];
  const isMeasured = total > 0 && phase !== 'finishing';
  return (
    <chakra.div width="100%" maxW="480px" textAlign="center">
      <chakra.progress
        width="100%"
        height="10px"
        accentColor="brand.solid"
        // With the border and background of the reset style, the browser would draw a green bar that ignores the accent
        // colour.
        border="revert"
        background="revert"
        aria-label={messages.progress}
        value={isMeasured ? sent : undefined}
        max={isMeasured ? total : undefined}
      />
      <chakra.p mt="2" fontVariantNumeric="tabular-nums" role="status">
        {text}
      </chakra.p>
    </chakra.div>
  );
}

interface DropZoneProps {
  /** Called with a function that reads the dropped or chosen package. */
  onChoose: (read: () => Promise<SitePackage>) => void;
  /** Shown instead of the buttons. */
  children: ReactNode;
}

/** Files can be dropped here. The buttons are the alternative for the keyboard. */
function DropZone({ onChoose, children }: DropZoneProps) {
  const [isDraggedOver, setDraggedOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDraggedOver(false);
    const readPackage = readDrop(event.dataTransfer);
    if (readPackage) onChoose(readPackage);
  };
  return (
    <Grid
      as="section"
      placeItems="center"
      gap="3"
      minH="136px"
      mt="4"
      p="4"
      border="2px dashed"
      borderColor={isDraggedOver ? 'brand.solid' : 'border.input'}
      borderRadius="md"
      bg={isDraggedOver ? 'brand.subtle' : undefined}
      aria-label={messages.title}
      onDragOver={(event) => {
        event.preventDefault();
        setDraggedOver(true);
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={drop}
    >
      {children || (
        <Flex wrap="wrap" align="center" justify="center" rowGap="2" columnGap="4">
          <FileButton
            label={messages.chooseFolder}
            isFolder
            onFiles={(files) => onChoose(async () => ({ kind: 'folder', files: toSiteFiles(files) }))}
          >
            <FolderUp aria-hidden />
            {messages.chooseFolder}
          </FileButton>
          <FileButton
            variant="outline"
            label={messages.chooseArchive}
            accept=".zip,.tgz,.gz,application/zip,application/gzip"
            onFiles={([file]) =>
              onChoose(async () => {
                if (!getArchiveType(file.name)) throw new UploadError(messages.failure.wrongType(file.name));
                return toFilePackage(file);
              })
            }
          >
            <FileArchive aria-hidden />
            {messages.chooseArchive}
          </FileButton>
        </Flex>
      )}
    </Grid>
  );
}

interface PublishPanelProps {
  site: SiteInput;
  /** Host of the site, or a text such as `O projeto CRM`. */
  subject: string;
  onPublished: () => void;
}

/** Publishes a folder or an archive: dropped, or chosen with the buttons. */
export function PublishPanel({ site, subject, onPublished }: PublishPanelProps) {
  const isTouchScreen = useTouchScreen();
  const [message, setMessage] = useState('');
  const [activate, setActivate] = useState(true);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const { start, cancel, progress, failure } = usePublication({
    site,
    activate,
    message,
    onPublished: ({ number, warnings: newWarnings, live }) => {
      setMessage('');
      setWarnings(newWarnings);
      void notifyVersion(live ? messages.success.live(number) : messages.success.stored(number), subject, live);
      onPublished();
    },
  });
  // A publication that has started has the message already, and goes on after the panel is closed.
  const isDirty = message !== '' && progress === null;
  useEffect(() => trackForm({ scope: 'page', isDirty: () => isDirty, discard: () => setMessage('') }), [isDirty]);
  const startPublication = (readPackage: () => Promise<SitePackage>) => {
    setWarnings([]);
    void start(async () => checkPackage(await readPackage()));
  };
  return (
    <Panel title={messages.title} text={messages.text(isTouchScreen)}>
      {/* Choosing files starts the publication, so its options come first. */}
      <Grid gap="3" mt="4">
        <TextField
          label={messages.message}
          value={message}
          placeholder={messages.messagePlaceholder}
          optional
          disabled={progress !== null}
          onChange={({ target }) => setMessage(target.value)}
        />
        <CheckField label={messages.activate} checked={activate} onChange={setActivate} disabled={progress !== null} />
      </Grid>
      <DropZone onChoose={startPublication}>
        {progress && (
          <>
            <Progress {...progress} />
            <Button variant="outline" size="sm" onClick={cancel}>
              {messages.cancel}
            </Button>
          </>
        )}
      </DropZone>
      {failure && (
        <chakra.div mt="3">
          <Alert note={failure.note}>{failure.message}</Alert>
        </chakra.div>
      )}
      {warnings.length > 0 && (
        <chakra.div layerStyle="warning" mt="3" py="3" px="4" role="status">
          <chakra.p fontWeight="semibold">{messages.warnings}</chakra.p>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </chakra.div>
      )}
    </Panel>
  );
}
