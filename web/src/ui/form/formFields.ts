import type { UseFormRegisterReturn } from 'react-hook-form';

/** One message per refused field, by the field's name. */
export type FieldErrors = Record<string, string>;

/** Names of the fields whose values are of a type. */
type NameOf<Values, Value> = {
  [Name in keyof Values]: NonNullable<Values[Name]> extends Value ? Name : never;
}[keyof Values] &
  string;

interface BoundField<Value> {
  value: Value;
  onChange(value: Value): void;
}

/** The part of a form that its fields need. Components whose fields several forms share take it. */
export interface FormFields<Values> {
  values: Values;
  errors: FieldErrors;
  /** Shows messages at fields until they change. */
  refuse(errors: FieldErrors): void;
  /** Sets some fields. */
  change(changes: Partial<Values>): void;
  /** Props of a `TextField` or `TextareaField`. */
  text(name: NameOf<Values, string>): UseFormRegisterReturn & { error?: string };
  /** Props of a `SelectField`, whose options may arrive after its value, or of a `CheckList`. */
  choice<Name extends keyof Values & string>(name: Name): BoundField<Values[Name]> & { error?: string };
  /** Props of a `RadioField`. */
  radio<Name extends NameOf<Values, string>>(name: Name): BoundField<Values[Name]>;
  /** Props of a `CheckField`. */
  check(name: NameOf<Values, boolean>): { checked: boolean; onChange: (checked: boolean) => void };
}
