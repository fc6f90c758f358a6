import { check, type InferOutput, object, optional, pipe, regex, string } from 'valibot';
import { requiredText } from '../../ui/form/schema/schemas';
import { contactMessages } from './contact.messages';

const { problems } = contactMessages;

/**
 * Catches typing errors only: it requires a character, an @, and a domain with a dot. The core decides which addresses
 * are valid.
 */
const LIKE_EMAIL = /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/;

/** The fields of the contact page (product §5). Spaces alone count as empty. */
export const contactSchema = object({
  name: requiredText(problems.name),
  email: pipe(
    string(),
    check((text) => text.trim() !== '', problems.emailMissing),
    regex(LIKE_EMAIL, problems.emailInvalid),
  ),
  contactInfo: string(),
  message: requiredText(problems.message),
  /** The honeypot, which is hidden from visitors. */
  website: optional(string()),
});

export type ContactValues = InferOutput<typeof contactSchema>;
