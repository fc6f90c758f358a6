import { boolean, check, forward, type InferOutput, object, picklist, pipe, string } from 'valibot';
import type {
  AlertChannelChanges,
  AlertChannelInput,
  AlertChannelType,
  Severity,
  WebhookFormat,
} from '../../../generated/graph';
import { requiredText } from '../../../ui/form/schema/schemas';
import { uiMessages } from '../../../ui/ui.messages';
import type { ChannelRowFragment } from '../generated/alerts';

export const channelSchema = pipe(
  object({
    name: requiredText(),
    type: picklist<AlertChannelType[]>(['telegram', 'email', 'webhook']),
    chatId: string(),
    to: string(),
    url: string(),
    format: picklist<WebhookFormat[]>(['standard', 'slack', 'discord']),
    minSeverity: picklist<Severity[]>(['info', 'warning', 'critical']),
    enabled: boolean(),
  }),
  forward(
    check(({ type, url }) => type !== 'webhook' || url.trim() !== '', uiMessages.required),
    ['url'],
  ),
);
export type ChannelValues = InferOutput<typeof channelSchema>;

export const toChannelValues = (channel?: ChannelRowFragment): ChannelValues => ({
  name: channel?.name ?? '',
  type: channel?.type ?? 'telegram',
  chatId: channel?.chatId ?? '',
  to: channel?.to ?? '',
  url: channel?.url ?? '',
  format: channel?.format ?? 'standard',
  minSeverity: channel?.minSeverity ?? 'info',
  enabled: channel?.enabled ?? true,
});

/** The receiver of a channel: only the fields of its type. */
function toReceiver({ type, chatId, to, url, format }: ChannelValues): Partial<AlertChannelChanges> {
  if (type === 'telegram') return { chatId: chatId.trim() || null };
  if (type === 'email') return { to: to.trim() || null };
  return { url: url.trim(), format };
}

/** Converts form values to the input of an update. The type of a channel cannot be changed. */
export const toChannelChanges = (values: ChannelValues): AlertChannelChanges => ({
  name: values.name.trim(),
  enabled: values.enabled,
  minSeverity: values.minSeverity,
  ...toReceiver(values),
});

export const toChannelInput = (values: ChannelValues): AlertChannelInput => ({
  ...toChannelChanges(values),
  name: values.name.trim(),
  type: values.type,
});
