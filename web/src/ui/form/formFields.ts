import type { UseFormRegisterReturn } from 'react-hook-form';

/** One message per refused field, by the field's name. */
export type FieldErrors = Record<string, string>;

/** Names of the fields whose values have the type `Value`. */
type NameOf<Values, Value> = {
  [Name in keyof Values]: NonNullable<Values[Name]> extends Value ? Name : never;
}[keyof Values] &
  string;

interface BoundField<Value> {
  value: Value;
  onChange(value: Value): void;
  error?: string;
}

/** A catalogue of texts, in which the label of the field `host` has the name `host`. */
type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** Texts of a field. Hint and placeholder of the field `host` are `hostHint` and `hostPlaceholder` of the catalogue. */
interface FieldTexts {
  label: string;
  hint?: string;
  placeholder?: string;
}

/** New values of fields, or a function that derives them from the current values, like an updater of React's state. */
export type FormChanges<Values> = Partial<Values> | ((values: Values) => Partial<Values>);

/** The part of a form that its fields need. Components whose fields occur in several forms take it as a prop. */
export interface FormFields<Values> {
  values: Values;
  errors: FieldErrors;
  /** Shows messages at fields until they change. */
  setErrors(errors: FieldErrors): void;
  /** Changes fields. The function is stable. */
  change(changes: FormChanges<Values>): void;
  /** Props of a `TextField` or `TextareaField`, with its texts from a catalogue. */
  text<Name extends NameOf<Values, string>>(
    name: Name,
    texts: Labels<Name>,
  ): UseFormRegisterReturn & { error?: string } & FieldTexts;
  /** Props of a `SelectField`, `RadioField` or `CheckList`. The options may arrive after the value. */
  choice<Name extends keyof Values & string>(name: Name, texts: Labels<Name>): BoundField<Values[Name]> & FieldTexts;
  /** Props of a `CheckField`. */
  check<Name extends NameOf<Values, boolean>>(
    name: Name,
    texts: Labels<Name>,
  ): { label: string; checked: boolean; onChange: (checked: boolean) => void };
  /** Props of a control with its own texts. */
  control<Name extends keyof Values & string>(name: Name): BoundField<Values[Name]>;
}
