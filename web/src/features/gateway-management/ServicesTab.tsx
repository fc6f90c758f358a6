import { Button } from '@chakra-ui/react';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { announceArrival } from '../../ui/arrivals';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { CopyButton } from '../../ui/CopyButton';
import type { Column } from '../../ui/columns';
import { DataList } from '../../ui/DataList';
import { EmptyState } from '../../ui/EmptyState';
import { Form, SubmitButton } from '../../ui/Form';
import { FormDialog } from '../../ui/FormDialog';
import { failureText } from '../../ui/failure';
import { focusFirstField } from '../../ui/focusFirstField';
import { ListState } from '../../ui/ListState';
import { ListToolbar } from '../../ui/ListToolbar';
import { lazyDialog } from '../../ui/lazyDialog';
import { notify } from '../../ui/notification';
import { Panel } from '../../ui/Page';
import { RowAction } from '../../ui/RowAction';
import { RelativeTime } from '../../ui/Time';
import { useDialogParam } from '../../ui/useDialogParam';
import { useDraft } from '../../ui/useDraft';
import { useFailureNotice } from '../../ui/useFailureNotice';
import { useList } from '../../ui/useList';
import { useSubmit } from '../../ui/useSubmit';
import { managementMessages } from './gateway-management.messages';
import {
  GatewayServicesDocument,
  type ServiceRowFragment,
  useCreateGatewayServiceMutation,
  useDeleteGatewayServiceMutation,
  useGatewayServicesQuery,
  useUpdateGatewayServiceMutation,
} from './generated/gateway-management';
import styles from './management.module.css';
import { ServiceFields } from './ServiceFields';
import { checkService, serviceInput, serviceValues } from './serviceForm';

const ImportDialog = lazyDialog(() => import('./ImportDialog'));

const { services: messages, success, failure } = managementMessages;
const DIALOGS = ['editar', 'remover', 'importar'] as const;
const asNotification = (sentence: string) => notify(sentence, { color: 'error' });
const textOf = ({ name, host }: ServiceRowFragment) => `${name} ${host}`;

const columns: Column<ServiceRowFragment>[] = [
  { id: 'name', header: messages.columns.name, heading: true, cell: ({ name }) => name, sort: ({ name }) => name },
  {
    id: 'host',
    header: messages.columns.host,
    width: '35%',
    cell: ({ host }) => (
      <span className={styles.copyable}>
        <span className={styles.path}>{host}</span>
        <CopyButton text={host} label={messages.copyHost} />
      </span>
    ),
    sort: ({ host }) => host,
  },
  {
    id: 'createdAt',
    header: messages.columns.createdAt,
    width: '150px',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
];

function CreateServiceForm() {
  const { values, change, settle } = useDraft('services:novo', serviceValues(), 'page');
  const [create] = useCreateGatewayServiceMutation({ refetchQueries: [GatewayServicesDocument] });
  const form = useSubmit({
    fallback: failure.createService,
    check: () => checkService(values),
    onFailure: asNotification,
    send: async () => {
      const { data } = await create({ variables: { input: serviceInput(values) } });
      announceArrival(data?.createGatewayService._id);
      settle(serviceValues());
      notify(success.serviceCreated);
    },
  });
  return (
    <Panel title={messages.formTitle}>
      <Form className={styles.form} onSubmit={form.submit} errors={form.errors}>
        <ServiceFields values={values} errors={form.errors} onChange={change} />
        <div className={styles.submit}>
          <SubmitButton pending={form.pending}>{messages.add}</SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}

function EditServiceDialog({ service, onClose }: { service: ServiceRowFragment; onClose: () => void }) {
  const { values, change, settle } = useDraft(`services:${service._id}`, serviceValues(service));
  const [update] = useUpdateGatewayServiceMutation();
  const form = useSubmit({
    fallback: failure.updateService,
    check: () => checkService(values),
    onFailure: asNotification,
    send: async () => {
      await update({ variables: { id: service._id, input: serviceInput(values) } });
      settle();
      onClose();
      notify(success.serviceUpdated);
    },
  });
  return (
    <FormDialog
      title={messages.editTitle}
      width={600}
      submitLabel={messages.save}
      onSubmit={form.submit}
      onClose={onClose}
      {...form}
    >
      <ServiceFields values={values} errors={form.errors} onChange={change} />
    </FormDialog>
  );
}

/** The services: form, list, import of their routes. */
export function ServicesTab() {
  const {
    data: fresh,
    previousData,
    loading,
    error,
    refetch,
  } = useGatewayServicesQuery({
    fetchPolicy: 'cache-and-network',
  });
  useFailureNotice({ error, loading }, failure.loadServices);
  const data = fresh ?? previousData;
  const services = data?.gatewayServices ?? [];
  const list = useList(services, columns, textOf);
  const dialog = useDialogParam(DIALOGS);
  const chosen = services.find(({ _id }) => _id === dialog.id);
  const [remove] = useDeleteGatewayServiceMutation();

  return (
    <>
      <CreateServiceForm />
      <div className={styles.heading}>
        <h2>{messages.listTitle}</h2>
      </div>
      <ListState
        ready={data !== undefined}
        loading={loading}
        failure={error ? failureText(error, failure.loadServices) : null}
        onRetry={() => void refetch().catch(() => undefined)}
      >
        {services.length === 0 ? (
          <EmptyState
            text={messages.empty}
            action={
              <Button variant="outline" onClick={focusFirstField}>
                {messages.emptyAction}
              </Button>
            }
          />
        ) : (
          <>
            <ListToolbar list={list} label={messages.search} />
            <DataList
              list={list}
              label={messages.listTitle}
              rowKey={({ _id }) => _id}
              actionsWidth="360px"
              headingLevel={3}
              actions={({ _id, name }) => (
                <>
                  <RowAction
                    label={messages.importRoutes}
                    of={name}
                    icon={<Download aria-hidden />}
                    onClick={() => dialog.open('importar', _id)}
                  />
                  <RowAction
                    label={messages.edit}
                    of={name}
                    icon={<Pencil aria-hidden />}
                    onClick={() => dialog.open('editar', _id)}
                  />
                  <RowAction
                    label={messages.remove}
                    of={name}
                    icon={<Trash2 aria-hidden />}
                    danger
                    onClick={() => dialog.open('remover', _id)}
                  />
                </>
              )}
            />
          </>
        )}
      </ListState>
      {dialog.name === 'editar' && chosen && (
        <EditServiceDialog key={chosen._id} service={chosen} onClose={dialog.close} />
      )}
      {dialog.name === 'importar' && chosen && (
        <ImportDialog key={chosen._id} service={chosen} onClose={dialog.close} />
      )}
      {dialog.name === 'remover' && chosen && (
        <ConfirmDialog
          title={messages.removalTitle}
          message={messages.removalMessage(chosen.name)}
          confirmLabel={messages.remove}
          width={400}
          fallback={failure.deleteService}
          onFailure={asNotification}
          onClose={dialog.close}
          onConfirm={async () => {
            await remove({
              variables: { id: chosen._id },
              update: (cache) => {
                dialog.close();
                cache.evict({ id: cache.identify({ __typename: 'GatewayService', _id: chosen._id }) });
                // Its routes went with it.
                cache.evict({ fieldName: 'gatewayRoutes' });
                cache.gc();
              },
            });
            notify(success.serviceDeleted);
          }}
        />
      )}
    </>
  );
}
