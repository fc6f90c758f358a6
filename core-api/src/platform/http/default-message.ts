import type { z } from 'zod';
import { httpMessages } from './http.messages';

const { wrongType, minimum, maximum } = httpMessages.field;

/** The message of an issue whose schema has no message of its own. */
export const defaultMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return wrongType[issue.expected] ?? httpMessages.field.invalid;
  if (issue.code === 'invalid_value') return httpMessages.field.oneOf(issue.values.join(', '));
  if (issue.code === 'too_small') return minimum(issue.minimum, issue.origin);
  if (issue.code === 'too_big') return maximum(issue.maximum, issue.origin);
  return httpMessages.field.invalid;
};
