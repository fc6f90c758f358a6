import { notify } from '../../../lib/notifications/notification';
import { showSecretOnce } from '../../../lib/notifications/oneTimeSecret';
import { markRecentlyCreated } from '../../../lib/notifications/recentlyCreated';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { SecretDialog } from '../../../ui/dialog/SecretDialog';
import { CheckField } from '../../../ui/form/fields/checkFields';
import { RadioField } from '../../../ui/form/fields/RadioField';
import { CODE_INPUT, TextField } from '../../../ui/form/fields/textFields';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { alertsMessages } from '../alerts.messages';
import {
  AlertChannelsDocument,
  type ChannelRowFragment,
  useCreateAlertChannelMutation,
  useUpdateAlertChannelMutation,
} from '../generated/alerts';
import { channelSchema, toChannelChanges, toChannelInput, toChannelValues } from './channelForm';

const { channelForm: messages, channels, severities, secret: secretMessages } = alertsMessages;
const TYPES = (['telegram', 'email', 'webhook'] as const).map((value) => ({ value, label: channels.types[value] }));
const SEVERITIES = (['info', 'warning', 'critical'] as const).map((value) => ({ value, label: severities[value] }));

export function ChannelDialog({ channel, onClose }: { channel?: ChannelRowFragment; onClose: () => void }) {
  const [create] = useCreateAlertChannelMutation({ fetchPolicy: 'no-cache', refetchQueries: [AlertChannelsDocument] });
  const [update] = useUpdateAlertChannelMutation();
  const form = useAppForm({
    draft: `alert-channels:${channel?._id ?? 'novo'}`,
    initial: toChannelValues(channel),
    schema: channelSchema,
    failureMessage: channels.failure.save,
    send: async (values) => {
      if (channel) {
        await update({ variables: { id: channel._id, input: toChannelChanges(values), version: channel.version } });
        return undefined;
      }
      // `SecretDialog` is loaded before the call, because a secret that cannot be shown would be lost.
      await SecretDialog.preload();
      return (await create({ variables: { input: toChannelInput(values) } })).data?.createAlertChannel;
    },
    onSaved: (created) => {
      onClose();
      notify(created ? channels.success.created : channels.success.saved, { note: created && channels.untested });
      if (!created) return;
      markRecentlyCreated(created.channel._id);
      if (created.secret) showSecretOnce({ ...secretMessages, secret: created.secret });
    },
  });
  const type = form.watch('type');
  return (
    <FormDialog title={channel ? messages.edit : messages.create} width={600} form={form} onClose={onClose}>
      <TextField {...form.text('name', messages)} required />
      {!channel && <RadioField {...form.choice('type', messages)} options={TYPES} />}
      {type === 'telegram' && <TextField {...form.text('chatId', messages)} {...CODE_INPUT} />}
      {type === 'email' && <TextField {...form.text('to', messages)} {...CODE_INPUT} type="email" />}
      {type === 'webhook' && (
        <>
          <TextField {...form.text('url', messages)} {...CODE_INPUT} type="url" required />
          <RadioField {...form.choice('format', messages)} options={messages.formats} />
        </>
      )}
      <RadioField {...form.choice('minSeverity', messages)} options={SEVERITIES} />
      <CheckField {...form.check('enabled', messages)} />
    </FormDialog>
  );
}
