import { useRef, useState } from 'react';
import type { SiteInput } from '../../generated/graph';
import { isAbort, toUserError, type UserError } from '../../lib/userError';
import { useCreateUploadMutation } from './generated/versions';
import { type PublishedVersion, type PublishProgress, publish, UploadError } from './publish';
import type { SitePackage } from './sitePackage';
import { versionsMessages } from './versions.messages';

interface PublicationOptions {
  site: SiteInput;
  activate: boolean;
  message: string;
  onPublished: (published: PublishedVersion) => void;
}

/** Runs one publication at a time. `progress` is null while no publication runs. */
export function usePublication({ site, activate, message, onPublished }: PublicationOptions) {
  // The path of an upload is not cached, because it is a secret: it accepts a publication without a token.
  const [createUpload] = useCreateUploadMutation({ fetchPolicy: 'no-cache' });
  const [progress, setProgress] = useState<PublishProgress | null>(null);
  const [failure, setFailure] = useState<UserError | null>(null);
  const runningUpload = useRef<AbortController | null>(null);

  async function start(readPackage: () => Promise<SitePackage>): Promise<void> {
    if (runningUpload.current) return;
    const controller = new AbortController();
    runningUpload.current = controller;
    const { signal } = controller;
    setFailure(null);
    setProgress({ phase: 'reading', sent: 0, total: 0 });
    try {
      const sitePackage = await readPackage();
      const { data } = await createUpload({ variables: { site, activate, message: message.trim() || null } });
      if (!data) return;
      onPublished(await publish(sitePackage, { url: data.createUpload.path, signal, onProgress: setProgress }));
    } catch (error) {
      if (isAbort(error)) return;
      setFailure(
        error instanceof UploadError
          ? { message: error.message, note: error.note }
          : toUserError(error, versionsMessages.publish.failure.create),
      );
    } finally {
      // After a failed upload of one file, the uploads of the others end.
      controller.abort();
      runningUpload.current = null;
      setProgress(null);
    }
  }
  return { start, cancel: () => runningUpload.current?.abort(), progress, failure };
}
