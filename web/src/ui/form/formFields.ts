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

/** Texts of fields by name. A field `host` has the label `host`, and perhaps `hostHint` and `hostPlaceholder`. */
export type Catalogue<Name extends string> = Readonly<Record<Name, string>> & {
  readonly [name: `${string}Hint` | `${string}Placeholder`]: string | undefined;
};

export interface FieldTexts {
  label: string;
  hint?: string;
  placeholder?: string;
}

/** New values of fields, or a function that derives them from the current values, like an updater of React's state. */
export type FormChanges<Values> = Partial<Values> | ((values: Values) => Partial<Values>);

/** The part of a form that its fields need. Components whose fields occur in several forms take it as a prop. */
export interface FormFields<Values> {
  /** The value of a field, or all values. A later change renders the form again (`watch` of react-hook-form). */
  watch<Name extends keyof Values & string>(name: Name): Values[Name];
  watch(): Values;
  errors: FieldErrors;
  /** Shows messages at fields. A change of a field removes its message. */
  setErrors(errors: FieldErrors): void;
  /** Changes fields. The function is stable. */
  change(changes: FormChanges<Values>): void;
  /** Props of a `TextField` or `TextareaField`, with its texts from a catalogue. */
  text<Name extends NameOf<Values, string>>(
    name: Name,
    texts: Catalogue<Name>,
  ): UseFormRegisterReturn & { error?: string } & FieldTexts;
  /** Props of a `SelectField`, `RadioField` or `CheckList`. The options may arrive after the value. */
  choice<Name extends keyof Values & string>(name: Name, texts: Catalogue<Name>): BoundField<Values[Name]> & FieldTexts;
  /** Props of a `CheckField`. */
  check<Name extends NameOf<Values, boolean>>(
    name: Name,
    texts: Catalogue<Name>,
  ): { label: string; checked: boolean; onChange: (checked: boolean) => void };
  /** Props of a control with its own texts. */
  control<Name extends keyof Values & string>(name: Name): BoundField<Values[Name]>;
}
