import type { UseFormRegisterReturn } from 'react-hook-form';

/** One message per refused field, by the field's name. */
export type FieldErrors = Record<string, string>;

/** Names of the text fields. */
type TextName<Values> = {
  [Name in keyof Values]: NonNullable<Values[Name]> extends string
    ? string extends NonNullable<Values[Name]>
      ? Name
      : never
    : never;
}[keyof Values] &
  string;

/** The part of a form that fields need; for components with fields that several forms share. */
export interface FormFields<Values> {
  values: Values;
  errors: FieldErrors;
  /** Shows messages at fields until they change. */
  refuse(errors: FieldErrors): void;
  /** Sets some fields. */
  change(changes: Partial<Values>): void;
  /** Props of a `TextField` or `TextareaField`. */
  text(name: TextName<Values>): UseFormRegisterReturn & { error?: string };
  /** Props of a `SelectField`, whose options may arrive after its value. */
  choice(name: TextName<Values>): { value: string; error?: string; onChange: (value: string) => void };
}
