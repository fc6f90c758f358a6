import { chakra } from '@chakra-ui/react';
import { Undo2 } from 'lucide-react';
import { getSiteHost } from '../../lib/hosts/host';
import { notifySaved } from '../../lib/notifications/notifySaved';
import { SubmitButton } from '../../ui/form/Form';
import { useAction } from '../../ui/form/useAction';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import {
  useServeFolderMutation,
  useServeProjectFolderMutation,
  useServeProjectOfTenantMutation,
  type VersionedProjectQuery,
  type VersionedSubdomainQuery,
  type VersionedTenantQuery,
} from './generated/versions';
import { versionsMessages } from './versions.messages';

const { source: messages, failure, activation } = versionsMessages;

const SourceNote = ({ children }: { children: string }) => (
  <chakra.p mb="4" color="fg.muted">
    {children}
  </chakra.p>
);

interface LeaveVersionsProps {
  label: string;
  send: () => Promise<unknown>;
  onSourceChanged: () => void;
}

/** The button that stops serving versions. The versions stay and can be activated again. */
function LeaveVersions({ label, send, onSourceChanged }: LeaveVersionsProps) {
  const leaving = useAction({ failureMessage: failure.leaveVersions, send: () => send().then(onSourceChanged) });
  return (
    <WritersOnly>
      <SubmitButton
        variant="outline"
        size="sm"
        height="auto"
        minH="9"
        mb="4"
        py="1.5"
        textAlign="start"
        whiteSpace="normal"
        overflowWrap="anywhere"
        action={leaving}
        icon={<Undo2 aria-hidden />}
      >
        {label}
      </SubmitButton>
    </WritersOnly>
  );
}

interface SourceProps<Row> {
  row: Row;
  onSourceChanged: () => void;
}

/** The source of a subdomain's files, and the button that returns to its folder. */
export function SubdomainSource({
  row: { source, staticPath, subdomain },
  onSourceChanged,
}: SourceProps<NonNullable<VersionedSubdomainQuery['subdomain']>>) {
  const [serveFolder] = useServeFolderMutation();
  if (!staticPath) return null;
  if (source === 'folder') return <SourceNote>{messages.folder(staticPath)}</SourceNote>;
  return (
    <LeaveVersions
      label={messages.backToFolder(staticPath)}
      onSourceChanged={onSourceChanged}
      send={async () => {
        const { data } = await serveFolder({ variables: { label: subdomain } });
        void notifySaved(messages.served, getSiteHost(subdomain), data?.updateSubdomain.live ?? null);
      }}
    />
  );
}

/** Says whether a tenant serves its own versions or its project's files, with a button that returns to the project. */
export function TenantSource({
  row: { _id, source, subdomain },
  projectName,
  onSourceChanged,
}: SourceProps<NonNullable<VersionedTenantQuery['tenant']>> & { projectName: string }) {
  const [serveProject] = useServeProjectOfTenantMutation();
  if (source === 'project') return <SourceNote>{messages.project(projectName)}</SourceNote>;
  return (
    <LeaveVersions
      label={messages.backToProject(projectName)}
      onSourceChanged={onSourceChanged}
      send={async () => {
        const { data } = await serveProject({ variables: { id: _id } });
        void notifySaved(messages.servedProject, getSiteHost(subdomain), data?.updateTenant.live ?? null);
      }}
    />
  );
}

/** Says which tenants serve the versions of a project, with a button that returns to its folder. */
export function ProjectSource({
  row: { _id, name, source, staticPath, version: rowVersion },
  onSourceChanged,
}: SourceProps<NonNullable<VersionedProjectQuery['project']>>) {
  const [serveFolder] = useServeProjectFolderMutation();
  return (
    <>
      <SourceNote>{messages.ofTenants}</SourceNote>
      {source === 'folder' && staticPath && <SourceNote>{messages.folder(staticPath)}</SourceNote>}
      {source === 'versions' && staticPath && (
        <LeaveVersions
          label={messages.backToFolder(staticPath)}
          onSourceChanged={onSourceChanged}
          send={async () => {
            await serveFolder({ variables: { id: _id, name, version: rowVersion } });
            void notifySaved(messages.served, activation.project(name), null);
          }}
        />
      )}
    </>
  );
}
