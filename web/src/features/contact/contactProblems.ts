import { contactMessages } from './contact.messages';

const { problems } = contactMessages;

export interface ContactValues {
  name: string;
  email: string;
  contactInfo: string;
  message: string;
}

export type ContactProblems = Partial<Record<keyof ContactValues, string>>;

/** One sign, an at, and a domain with a dot: catches slips. What an address really is, the core decides. */
const LIKE_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** One sentence per field that keeps the message from being sent (product §5); spaces alone count as empty. */
export function contactProblems({ name, email, message }: ContactValues): ContactProblems {
  const found: ContactProblems = {};
  if (!name.trim()) found.name = problems.name;
  if (!email.trim()) found.email = problems.emailMissing;
  else if (!LIKE_EMAIL.test(email.trim())) found.email = problems.emailInvalid;
  if (!message.trim()) found.message = problems.message;
  return found;
}

/** The sentence for the alert box, or undefined when the message may go. */
export function problemSummary(values: ContactValues): string | undefined {
  const found = contactProblems(values);
  const incomplete = [values.name, values.email, values.message].some((value) => !value.trim());
  return incomplete ? problems.incomplete : found.email;
}
