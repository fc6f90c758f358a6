import { boolean, type InferOutput, object, string } from 'valibot';
import { toDateTimeLocal } from '../../lib/format/localTime';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { CheckField } from '../../ui/form/fields/checkFields';
import { TextField } from '../../ui/form/fields/textFields';
import { requiredText } from '../../ui/form/schema/schemas';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { useUpdatePreviewMutation } from './generated/versions';
import type { Version } from './versionColumns';
import { versionsMessages } from './versions.messages';

const { preview: messages } = versionsMessages;

const schema = object({
  expiresAt: requiredText(messages.dateRequired),
  password: string(),
  removesPassword: boolean(),
  pinned: boolean(),
});
type Values = InferOutput<typeof schema>;

const toValues = ({ previewExpiresAt, pinned }: Version): Values => ({
  expiresAt: previewExpiresAt ? toDateTimeLocal(previewExpiresAt) : '',
  password: '',
  removesPassword: false,
  pinned,
});

/** Edits the end and the password of a preview, and whether the version is kept. */
export default function PreviewDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const [update] = useUpdatePreviewMutation();
  const initial = toValues(version);
  const form = useAppForm({
    initial,
    schema,
    failureMessage: messages.failure,
    send: ({ expiresAt, password, removesPassword, pinned }) => {
      const input = {
        pinned,
        // An unchanged end is not sent, because it may be in the past. The server removes the password for `''`.
        expiresAt: expiresAt === initial.expiresAt ? undefined : new Date(expiresAt).toISOString(),
        password: removesPassword ? '' : password || undefined,
      };
      return update({ variables: { id: version._id, input } });
    },
    onSaved: onClose,
    success: messages.success,
  });
  return (
    <FormDialog title={messages.title(version.number)} form={form} onClose={onClose}>
      <TextField {...form.text('expiresAt', messages)} type="datetime-local" required />
      <TextField
        {...form.text('password', messages)}
        type="password"
        autoComplete="new-password"
        hint={version.previewHasPassword ? messages.passwordHint : messages.noPasswordHint}
        disabled={form.watch('removesPassword')}
        optional
      />
      {version.previewHasPassword && <CheckField {...form.check('removesPassword', messages)} />}
      <CheckField {...form.check('pinned', messages)} />
      <small>{messages.pinnedHint}</small>
    </FormDialog>
  );
}
