import { Button } from '@chakra-ui/react';
import { Alert } from '../../ui/Alert';
import { EmptyState } from '../../ui/EmptyState';
import FormDialogView from '../../ui/FormDialogView';
import { failureText } from '../../ui/failure';
import { CheckField } from '../../ui/fields';
import { notify } from '../../ui/notification';
import { uiMessages } from '../../ui/ui.messages';
import { useDraft } from '../../ui/useDraft';
import { type FieldErrors, useSubmit } from '../../ui/useSubmit';
import { managementMessages } from './gateway-management.messages';
import {
  GatewayRoutesDocument,
  type ServiceRowFragment,
  useGatewayRoutesQuery,
  useImportGatewayRoutesMutation,
  useServiceManifestQuery,
} from './generated/gateway-management';
import { type Choices, type ImportRow, importRows, selectedRoutes } from './importSelection';
import { MethodChip } from './MethodChip';
import styles from './management.module.css';

const { importing: messages, success, failure } = managementMessages;
const NOTHING_CHOSEN: { choices: Choices } = { choices: {} };

interface RouteChoiceProps {
  row: ImportRow;
  onChange: (change: Partial<ImportRow>) => void;
}

function RouteChoice({ row, onChange }: RouteChoiceProps) {
  const { method, path, permission, summary, selected, exists } = row;
  return (
    <li>
      <div>
        <CheckField
          label={
            <span className={styles.route}>
              <MethodChip method={method} />
              <code className={styles.path}>{path}</code>
              {summary && <small>{summary}</small>}
              {exists && <small>{messages.existing}</small>}
            </span>
          }
          checked={selected}
          disabled={exists}
          onChange={(on) => onChange({ selected: on })}
        />
      </div>
      <input
        type="text"
        aria-label={messages.permissionOf(method, path)}
        placeholder={messages.permissionPlaceholder}
        value={permission}
        disabled={!selected}
        onChange={(event) => onChange({ permission: event.target.value })}
      />
    </li>
  );
}

/** Chooses routes from a service's manifest; loads it each time it opens. */
export default function ImportDialog({ service, onClose }: { service: ServiceRowFragment; onClose: () => void }) {
  const { data, loading, error, refetch } = useServiceManifestQuery({
    variables: { serviceId: service._id },
    fetchPolicy: 'no-cache',
  });
  const { data: known } = useGatewayRoutesQuery();
  const { values, change, settle } = useDraft(`gateway-management:importar:${service._id}`, NOTHING_CHOSEN);
  const { choices } = values;
  const rows = data && known ? importRows(service.name, data.serviceManifest, known.gatewayRoutes, choices) : [];
  const [save] = useImportGatewayRoutesMutation({ refetchQueries: [GatewayRoutesDocument] });

  const count = rows.filter(({ selected }) => selected).length;
  const free = rows.filter(({ exists }) => !exists).length;
  const choose = (changed: readonly ImportRow[]) =>
    change({
      choices: {
        ...choices,
        ...Object.fromEntries(changed.map(({ key, selected, permission }) => [key, { selected, permission }])),
      },
    });

  const form = useSubmit({
    fallback: failure.createRoute,
    prefer: 'details',
    check: (): FieldErrors => (selectedRoutes(rows) ? {} : { form: messages.invalid }),
    onFailure: (sentence) => notify(sentence, { color: 'error' }),
    send: async () => {
      await save({ variables: { serviceId: service._id, routes: selectedRoutes(rows) ?? [] } });
      settle(NOTHING_CHOSEN);
      onClose();
      notify(success.imported);
    },
  });

  return (
    <FormDialogView
      title={messages.title(service.name)}
      width="full"
      submitLabel={messages.save}
      onSubmit={form.submit}
      pending={form.pending}
      errors={form.errors}
      failure={form.failure}
      disabled={loading || count === 0}
      onClose={onClose}
    >
      {loading && (
        <p className={styles.busy} role="status">
          {messages.loading}
        </p>
      )}
      {!loading && error && (
        <Alert
          action={
            <Button variant="outline" size="sm" onClick={() => void refetch().catch(() => undefined)}>
              {uiMessages.retry}
            </Button>
          }
        >
          {failureText(error, failure.loadManifest, 'details')}
        </Alert>
      )}
      {!loading && data?.serviceManifest.length === 0 && <EmptyState text={messages.empty} />}
      {!loading && rows.length > 0 && (
        <>
          <div className={styles.toolbar}>
            <CheckField
              label={messages.selectAll}
              checked={free > 0 && count === free}
              disabled={free === 0}
              onChange={(on) => choose(rows.map((row) => ({ ...row, selected: on })))}
            />
            <span aria-live="polite">{messages.selected(count, rows.length)}</span>
          </div>
          <ul className={styles.rows}>
            {rows.map((row) => (
              <RouteChoice key={row.key} row={row} onChange={(changes) => choose([{ ...row, ...changes }])} />
            ))}
          </ul>
        </>
      )}
    </FormDialogView>
  );
}
