import { check, type GenericSchema, pipe, string } from 'valibot';
import { uiMessages } from '../../ui.messages';

/** Returns a schema for a text that contains more than spaces. */
export const requiredText = (message: string = uiMessages.required): GenericSchema<string> =>
  pipe(
    string(),
    check((text) => text.trim() !== '', message),
  );

export const integerText = (min: number, max: number, message: string): GenericSchema<string> =>
  pipe(
    string(),
    check((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, message),
  );

/** Converts a typed whole number. Any other text becomes 0, which the server refuses. */
export const toInteger = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : 0);

/** Converts a typed port. An empty text becomes null. */
export const toPort = (text: string): number | null => (text.trim() === '' ? null : toInteger(text));
