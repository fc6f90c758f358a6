import { Button, Dialog } from '@chakra-ui/react';
import { useEffect, useId, useState } from 'react';
import { Alert } from '../../ui/Alert';
import { EmptyState } from '../../ui/EmptyState';
import { Form, SubmitButton } from '../../ui/Form';
import { failureText } from '../../ui/failure';
import { CheckField } from '../../ui/fields';
import { Modal } from '../../ui/Modal';
import { notify } from '../../ui/notification';
import { uiMessages } from '../../ui/ui.messages';
import { type FieldErrors, useSubmit } from '../../ui/useSubmit';
import { managementMessages } from './gateway-management.messages';
import {
  GatewayRoutesDocument,
  type ServiceRowFragment,
  useGatewayRoutesQuery,
  useImportGatewayRoutesMutation,
  useServiceManifestQuery,
} from './generated/gateway-management';
import { type ImportRow, importRows, selectedRoutes } from './importSelection';
import { MethodChip } from './MethodChip';
import styles from './management.module.css';

const { importing: messages, success, failure } = managementMessages;

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
  const [rows, setRows] = useState<ImportRow[]>([]);
  useEffect(() => {
    if (data && known) setRows(importRows(service.name, data.serviceManifest, known.gatewayRoutes));
  }, [data, known, service.name]);
  const [save] = useImportGatewayRoutesMutation({ refetchQueries: [GatewayRoutesDocument] });
  const hint = useId();

  const count = rows.filter(({ selected }) => selected).length;
  const free = rows.filter(({ exists }) => !exists).length;
  const change = (index: number, changes: Partial<ImportRow>) =>
    setRows((before) => before.map((row, at) => (at === index ? { ...row, ...changes } : row)));

  const form = useSubmit({
    fallback: failure.createRoute,
    prefer: 'details',
    check: (): FieldErrors => (selectedRoutes(rows) ? {} : { form: messages.invalid }),
    onFailure: (sentence) => notify(sentence, { color: 'error' }),
    send: async () => {
      await save({ variables: { serviceId: service._id, routes: selectedRoutes(rows) ?? [] } });
      onClose();
      notify(success.imported);
    },
  });

  return (
    <Modal title={messages.title(service.name)} width="full" onClose={onClose}>
      <Form onSubmit={form.submit} failure={form.failure} aria-labelledby={hint}>
        <Dialog.Body>
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
                  onChange={(on) => setRows(rows.map((row) => ({ ...row, selected: on && !row.exists })))}
                />
                <span id={hint} aria-live="polite">
                  {messages.selected(count, rows.length)}
                </span>
              </div>
              <ul className={styles.rows}>
                {rows.map((row, index) => (
                  <RouteChoice
                    key={`${row.method} ${row.path}`}
                    row={row}
                    onChange={(changes) => change(index, changes)}
                  />
                ))}
              </ul>
            </>
          )}
        </Dialog.Body>
        <Dialog.Footer>
          <Button variant="outline" onClick={onClose}>
            {uiMessages.cancel}
          </Button>
          <SubmitButton pending={form.pending} disabled={loading || count === 0}>
            {messages.save}
          </SubmitButton>
        </Dialog.Footer>
      </Form>
    </Modal>
  );
}
