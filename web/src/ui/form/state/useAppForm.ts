import { valibotResolver } from '@hookform/resolvers/valibot';
import { useCallback, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, type Resolver, useForm } from 'react-hook-form';
import type { GenericSchema } from 'valibot';
import type { UserError } from '../../../lib/userError';
import { uiMessages } from '../../ui.messages';
import type { Versioned } from './conflict';
import { useFormFields } from './useFormFields';
import { type SubmitOptions, useFormSubmit } from './useFormSubmit';
import { type LockingOptions, useLocking } from './useLocking';
import { type DraftOptions, useStoredDraft } from './useStoredDraft';

/** The options of the hooks that make up the form, and its schema. */
export interface AppFormOptions<Values extends FieldValues, Row extends Versioned, Result>
  extends DraftOptions<Values>,
    LockingOptions<Values, Row, Result>,
    SubmitOptions<Values, Result> {
  /** The schema of all fields, with the messages of the feature's catalogue. */
  schema: GenericSchema<Values>;
}

/** Checks the schema, and refuses a text that is no number or an incomplete time: the value `''` might pass. */
function createResolver<Values extends FieldValues>(schema: GenericSchema<Values>): Resolver<Values> {
  const resolve: Resolver<Values> = valibotResolver(schema, undefined, { raw: true });
  return async (values, context, options) => {
    const result = await resolve(values, context, options);
    const fields = Object.entries(options.fields) as [string, { ref: Partial<HTMLInputElement> }][];
    // An input that has left the screen keeps its text, but its field is not sent.
    const badFields = fields.filter(([, { ref }]) => ref.isConnected && ref.validity?.badInput);
    if (badFields.length === 0) return result;
    const errors = badFields.map(([name, { ref }]) => [name, { type: 'bad', message: uiMessages.badInput(ref.type) }]);
    return { values: {}, errors: { ...result.errors, ...Object.fromEntries(errors) } };
  };
}

/**
 * react-hook-form with a valibot schema and three additions (decision 122): drafts that survive the end of a session,
 * optimistic locking with a merge by field, and one send at a time. An error is removed as soon as its field changes.
 * `failure` is an error that belongs to no field, or that has details or a DNS record. Any change removes it.
 */
export function useAppForm<Values extends FieldValues, Result, Row extends Versioned = Versioned>(
  options: AppFormOptions<Values, Row, Result>,
) {
  const { schema, initial } = options;
  const form = useForm<Values>({
    defaultValues: initial as DefaultValues<Values> | undefined,
    resolver: createResolver(schema),
    reValidateMode: 'onSubmit',
    // Without `all`, checks that compare fields would not run while any field is invalid.
    criteriaMode: 'all',
    shouldFocusError: false,
  });
  const [failure, setFailure] = useState<UserError | null>(null);
  const isSaved = useRef(false);
  const onChange = useCallback(() => {
    isSaved.current = false;
    setFailure(null);
  }, []);
  const fields = useFormFields(form, onChange);
  const { change } = fields;
  const { saved, reset, restored } = useStoredDraft(form, change, options);
  const { sendLocked, conflict: merge } = useLocking({ saved, getValues: form.getValues, reset, change }, options);
  const submit = useFormSubmit(form, { send: sendLocked, markSaved: reset, isSaved, setFailure }, options);

  const onKeepMine = () => {
    merge?.onKeepMine();
    submit();
  };
  const conflict = merge && { ...merge, onKeepMine };
  const { isSubmitting: isPending, submitCount } = form.formState;
  const { getValues, setFocus: focus } = form;
  return { ...fields, getValues, isPending, submitCount, failure, conflict, restored, focus, reset, submit };
}
