import { useRef, useState } from 'react';
import FormDialogView from '../../ui/dialog/FormDialogView';
import { CheckField } from '../../ui/form/checkFields';
import { SelectField } from '../../ui/form/SelectField';
import { CODE_INPUT, TextField } from '../../ui/form/textFields';
import { useSubmit } from '../../ui/form/useSubmit';
import { routesMessages } from './gateway-routes.messages';
import { type RouteRowFragment, type TestRouteMutation, useTestRouteMutation } from './generated/gateway-routes';
import { TestVerdict } from './TestVerdict';
import styles from './test-route.module.css';
import { checkTest, type TestValues, testInput, testMethods, testValues } from './testForm';

const { testing: messages } = routesMessages;

/**
 * Tests what the edge would answer to a request, and optionally makes the call. The form is not stored anywhere, since it
 * may hold a key.
 * @param route gives the initial method and path
 */
export default function TestRouteDialog({ route, onClose }: { route?: RouteRowFragment; onClose: () => void }) {
  const [values, setValues] = useState<TestValues>(() => testValues(route));
  const [verdict, setVerdict] = useState<TestRouteMutation['testRoute'] | null>(null);
  const path = useRef<HTMLInputElement>(null);
  const [test] = useTestRouteMutation({ fetchPolicy: 'no-cache' });
  // An answer is discarded when the form has changed since it was sent.
  const sentValues = useRef(values);
  const sending = useSubmit({
    check: () => checkTest(values),
    fallback: messages.failure,
    send: async () => {
      setVerdict(null);
      sentValues.current = values;
      const { data } = await test({ variables: { input: testInput(values) } });
      if (sentValues.current === values && data) setVerdict(data.testRoute);
    },
  });
  const change = (changes: Partial<TestValues>) => {
    const next = { ...values, ...changes };
    sentValues.current = next;
    setValues(next);
    setVerdict(null);
    sending.clearErrors(Object.keys(changes));
  };
  const text = (name: 'path' | 'key' | 'address') => ({
    value: values[name],
    error: sending.errors[name],
    onChange: (value: string) => change({ [name]: value }),
  });

  return (
    <FormDialogView
      title={messages.title}
      width={600}
      submitLabel={messages.submit}
      cancelLabel={messages.close}
      form={{ ...sending, restored: null }}
      initialFocus={path}
      onClose={onClose}
    >
      <div className={styles.request}>
        <SelectField
          label={messages.method}
          value={values.method}
          error={sending.errors.method}
          options={testMethods.map((method) => ({ value: method, label: method }))}
          onChange={(value) => {
            const method = testMethods.find((one) => one === value);
            if (method) change({ method });
          }}
        />
        <TextField
          ref={path}
          label={messages.path}
          {...text('path')}
          hint={messages.pathHint}
          placeholder={messages.pathPlaceholder}
          required
          {...CODE_INPUT}
        />
      </div>
      <TextField label={messages.key} {...text('key')} hint={messages.keyHint} optional {...CODE_INPUT} />
      <TextField
        label={messages.address}
        {...text('address')}
        hint={messages.addressHint}
        placeholder={messages.addressPlaceholder}
        optional
        {...CODE_INPUT}
      />
      <CheckField label={messages.call} checked={values.call} onChange={(call) => change({ call })} />
      {values.call && values.method !== 'GET' && values.method !== 'HEAD' && (
        <p className={styles.warning} role="status">
          {messages.callWarning}
        </p>
      )}
      <div role="status">{verdict && <TestVerdict verdict={verdict} />}</div>
    </FormDialogView>
  );
}
