import { z } from 'zod';
import { optionalText } from '../http/fields';
import { channels, deliveryStates } from './contact.entity';
import { contactMessages as messages } from './contact.messages';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const oneLine = (text: string) => !/[\u0000-\u001f\u007f]/.test(text);

/** POST /contact; `website` is the honeypot that people do not see. */
export const contactBody = z.object({
  name: z
    .string(messages.required)
    .trim()
    .min(1, messages.required)
    .max(100, messages.nameLong)
    .refine(oneLine, messages.lineBreak),
  email: z
    .string(messages.required)
    .trim()
    .min(1, messages.required)
    .max(254, messages.email)
    .pipe(z.email(messages.email)),
  contactInfo: optionalText(255, messages.contactInfoLong),
  message: z.string(messages.required).trim().min(1, messages.required).max(5000, messages.messageLong),
  website: z.string().max(1000).nullish().catch('filled'),
});
export type ContactBody = z.output<typeof contactBody>;

export const contactReceipt = z.object({ _id: z.uuid() });

export const contactPage = z.object({
  messages: z.array(
    z
      .object({
        _id: z.uuid(),
        name: z.string(),
        email: z.string(),
        contactInfo: z.string().nullable(),
        message: z.string(),
        createdAt: z.iso.datetime(),
        deliveries: z.array(
          z.object({
            channel: z.enum(channels),
            state: z.enum(deliveryStates),
            attempts: z.int(),
            deliveredAt: z.iso.datetime().nullable(),
            lastError: z.string().nullable(),
          }),
        ),
      })
      .meta({ id: 'ContactMessage' }),
  ),
  total: z.int(),
});
