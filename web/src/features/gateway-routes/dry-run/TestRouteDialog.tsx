import { chakra, Grid, mergeRefs } from '@chakra-ui/react';
import { useRef } from 'react';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { CheckField } from '../../../ui/form/fields/checkFields';
import { SelectField } from '../../../ui/form/fields/SelectField';
import { CODE_INPUT, TextField } from '../../../ui/form/fields/textFields';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { useResponseTo } from '../../../ui/form/useResponseTo';
import { WritersOnly } from '../../../ui/layout/WritersOnly';
import { routesMessages } from '../gateway-routes.messages';
import { type RouteRowFragment, type TestRouteMutation, useTestRouteMutation } from '../generated/gateway-routes';
import { httpMethods } from '../routeForm';
import { TestVerdict } from './TestVerdict';
import { testSchema, toTestInput, toTestValues } from './testForm';

const { testing: messages } = routesMessages;

/**
 * Shows how the edge would respond to a request, and optionally calls the service. The form stores no draft, because it
 * may hold a key.
 * @param route gives the initial method and path
 */
export default function TestRouteDialog({ route, onClose }: { route?: RouteRowFragment; onClose: () => void }) {
  const [test] = useTestRouteMutation({ fetchPolicy: 'no-cache' });
  const pathInput = useRef<HTMLInputElement>(null);
  const form = useAppForm({
    initial: toTestValues(route),
    schema: testSchema,
    scope: null,
    failureMessage: messages.failure,
    send: async (formValues) => {
      setVerdict(null);
      const { data } = await test({ variables: { input: toTestInput(formValues) } });
      if (data) setVerdict(data.testRoute);
    },
  });
  const values = form.watch();
  const { ref: registerPath, ...pathField } = form.text('path', messages);
  const [verdict, setVerdict] = useResponseTo<TestRouteMutation['testRoute']>(values);

  return (
    <FormDialog
      allowViewers
      title={messages.title}
      width={600}
      submitLabel={messages.submit}
      cancelLabel={messages.close}
      form={form}
      initialFocus={pathInput}
      onClose={onClose}
    >
      <Grid templateColumns="128px minmax(0, 1fr)" gap="3">
        <SelectField
          {...form.choice('method', messages)}
          options={httpMethods.map((value) => ({ value, label: value }))}
        />
        <TextField ref={mergeRefs(registerPath, pathInput)} {...pathField} required {...CODE_INPUT} />
      </Grid>
      <TextField {...form.text('key', messages)} optional {...CODE_INPUT} />
      <TextField {...form.text('address', messages)} optional {...CODE_INPUT} />
      <WritersOnly>
        <CheckField {...form.check('call', messages)} />
      </WritersOnly>
      {values.call && values.method !== 'GET' && values.method !== 'HEAD' && (
        <chakra.p layerStyle="warning" role="status">
          {messages.callWarning}
        </chakra.p>
      )}
      <div role="status">{verdict && <TestVerdict verdict={verdict} />}</div>
    </FormDialog>
  );
}
