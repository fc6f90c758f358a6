import { z } from 'zod';
import { httpMessages } from '../../platform/http/http.messages';
import { optionalText, trimmedText } from '../../platform/http/input/fields';
import { paging } from '../../platform/http/lists/paging';
import { deliveryStates } from '../../platform/outbox/outbox-worker';
import { hasInvisibleCharacter } from '../../platform/text/invisible';
import { channelNames } from './contact.entity';
import { contactMessages as messages } from './contact.messages';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must find control characters
const isOneLine = (text: string) => !/[\u0000-\u001f\u007f]/.test(text);

/** POST /contact; `website` is the honeypot, a field that people do not see. An invalid value counts as filled. */
export const contactBody = z.object({
  name: trimmedText(100, messages.required, messages.nameLong)
    .refine(isOneLine, messages.lineBreak)
    .refine((name) => !hasInvisibleCharacter(name), httpMessages.invisible),
  email: trimmedText(254, messages.required, messages.email).pipe(z.email(messages.email)),
  contactInfo: optionalText(255, messages.contactInfoLong),
  message: trimmedText(5000, messages.required, messages.messageLong),
  website: z.string().max(1000).nullish().catch('filled'),
});
export type ContactBody = z.output<typeof contactBody>;

/** PUT /contact/{id}; `answered: true` also marks the message as handled, unless the body has `handled`. */
export const contactChanges = z
  .object({ handled: z.boolean(messages.handled).optional(), answered: z.boolean(messages.answered).optional() })
  .refine(({ handled, answered }) => handled !== undefined || answered !== undefined, {
    path: ['handled'],
    message: messages.handled,
  });
export type ContactChanges = z.output<typeof contactChanges>;

/** Cursor: creation time and id of the last message of a page. */
const cursor = z
  .string(messages.before)
  .regex(/^[\d:.TZ-]{24}~[\da-f-]{36}$/, messages.before)
  .transform((text) => {
    const [createdAt = '', _id = ''] = text.split('~');
    return { createdAt, _id };
  });

/** GET /contact; with the `next` of a page as `before`, it returns the next page, even if messages have arrived. */
export const contactQuery = paging.extend({ before: cursor.optional() });
export type ContactQuery = z.output<typeof contactQuery>;

export const contactReceipt = z.object({ _id: z.uuid() });

export const contactMessage = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    email: z.string(),
    contactInfo: z.string().nullable(),
    message: z.string(),
    handled: z.boolean(),
    /** Null for a message that was not answered. */
    answeredAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    deliveries: z.array(
      z.object({
        channel: z.enum(channelNames),
        state: z.enum(deliveryStates),
        attempts: z.int(),
        deliveredAt: z.iso.datetime().nullable(),
        lastError: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ContactMessage' });

export const contactPage = z.object({
  messages: z.array(contactMessage),
  total: z.int(),
  /** Number of unhandled messages on all pages. */
  unread: z.int(),
  /** Cursor of the next page; null on the last page. */
  next: z.string().nullable(),
});
