import { check, type GenericSchema, pipe, string } from 'valibot';
import { uiMessages } from '../../ui.messages';

/** A text that contains more than spaces. */
export const requiredText = (message: string = uiMessages.required): GenericSchema<string> =>
  pipe(
    string(),
    check((text) => text.trim() !== '', message),
  );

/** A whole number as it is typed. */
export const integerText = (min: number, max: number, message: string): GenericSchema<string> =>
  pipe(
    string(),
    check((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, message),
  );
