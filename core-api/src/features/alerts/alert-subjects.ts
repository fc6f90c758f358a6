import { createFieldError } from '../../platform/errors/rule-error';
import { alertMessages as messages } from './alerts.messages';
import type { SubjectReference } from './alerts.schema';

/** Returns the id of an existing subject; a subdomain may be named by its label. */
export type FindSubject = (subject: SubjectReference) => Promise<string | undefined>;

/** Finds the id of a subject. @throws RuleError invalid, at the field, if the subject does not exist */
export async function requireSubject(find: FindSubject, subject: SubjectReference, field = 'subject'): Promise<string> {
  const id = await find(subject);
  if (id === undefined) throw createFieldError('invalid', field, messages.subjectNotFound);
  return id;
}
