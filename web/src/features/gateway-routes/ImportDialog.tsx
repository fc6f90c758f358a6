import { useState } from 'react';
import { normalise } from '../../lib/normalise';
import { notify, notifyFailure } from '../../lib/notification';
import { useQueryState } from '../../lib/useQueryState';
import FormDialogView from '../../ui/dialog/FormDialogView';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { LoadFailed } from '../../ui/feedback/QueryState';
import { useForm } from '../../ui/form/useForm';
import type { FieldErrors } from '../../ui/form/useSubmit';
import { routesMessages } from './gateway-routes.messages';
import styles from './gateway-routes.module.css';
import {
  GatewayRoutesDocument,
  useGatewayRoutesQuery,
  useImportGatewayRoutesMutation,
  useServiceManifestQuery,
} from './generated/gateway-routes';
import { ObsoleteRoutes, SkippedOperations } from './ImportExtras';
import { ImportRows } from './ImportRows';
import { ImportToolbar } from './ImportToolbar';
import {
  type Choices,
  type ImportRow,
  importRows,
  obsoleteRoutes,
  rowsWithoutPermission,
  selectedRoutes,
} from './importSelection';

const { importing: messages, success, failure } = routesMessages;

interface ImportValues {
  choices: Choices;
  /** Ids of the obsolete routes that are removed. */
  removed: string[];
}
const NOTHING_SELECTED: ImportValues = { choices: {}, removed: [] };

const matches = ({ method, path, summary, state, permission }: ImportRow, query: string) =>
  query === '' || normalise(`${method} ${path} ${summary ?? ''} ${state} ${permission}`).includes(query);

interface ImportDialogProps {
  service: { _id: string; name: string };
  onClose: () => void;
  /** Switches to the routes tab, which closes the dialog. */
  onImported: () => void;
}

/** Imports routes from a service's manifest, which is loaded each time the dialog opens. */
export default function ImportDialog({ service, onClose, onImported }: ImportDialogProps) {
  const [search, setSearch] = useState('');
  const manifest = useServiceManifestQuery({ variables: { serviceId: service._id }, fetchPolicy: 'no-cache' });
  const { data, state } = useQueryState(manifest, { fallback: failure.loadManifest });
  // Which of them exist already.
  const { data: known, state: existing } = useQueryState(useGatewayRoutesQuery(), { fallback: failure.load });
  const loading = state.loading || (!known && existing.loading);
  const [save] = useImportGatewayRoutesMutation({
    refetchQueries: [GatewayRoutesDocument],
    awaitRefetchQueries: true,
    // The answer does not contain the removed routes.
    fetchPolicy: 'no-cache',
  });
  const rowsWith = (choices: Choices) =>
    data && known ? importRows(service, data.manifest.routes, known.gatewayRoutes, choices) : [];
  const obsolete = data && known ? obsoleteRoutes(service, data.manifest.routes, known.gatewayRoutes) : [];
  const removedOf = ({ removed }: ImportValues) => removed.filter((id) => obsolete.some(({ _id }) => _id === id));
  const form = useForm({
    draft: `gateway-routes:importar:${service._id}`,
    initial: NOTHING_SELECTED,
    fallback: failure.create,
    check: (values): FieldErrors => {
      const rows = rowsWith(values.choices);
      if (selectedRoutes(rows, removedOf(values))) return {};
      const lacking = rowsWithoutPermission(rows).map(({ key }) => [key, messages.permissionRequired]);
      return { ...Object.fromEntries(lacking), form: messages.invalid };
    },
    // Clears the search, so that the refused row is shown.
    onRefused: () => setSearch(''),
    onFailure: notifyFailure,
    send: (values) => {
      const remove = removedOf(values);
      const routes = selectedRoutes(rowsWith(values.choices), remove) ?? [];
      return save({ variables: { serviceId: service._id, routes, remove } });
    },
    onSaved: () => {
      onImported();
      notify(success.imported);
    },
  });
  const { choices } = form.values;
  const removed = removedOf(form.values);
  const rows = rowsWith(choices);
  const query = normalise(search.trim());
  const shown = rows.filter((row) => matches(row, query));
  const count = rows.filter(({ selected }) => selected).length + removed.length;
  const choose = (changed: readonly ImportRow[]) => {
    const decided = changed.map(({ key, selected, permission }) => [key, { selected, permission }] as const);
    form.change({ choices: { ...choices, ...Object.fromEntries(decided) } });
    form.clearErrors(changed.map(({ key }) => key));
  };

  return (
    <FormDialogView
      title={messages.title(service.name)}
      width="full"
      submitLabel={messages.save}
      form={form}
      disabled={loading || count === 0}
      onClose={onClose}
    >
      {loading && (
        <p className={styles.busy} role="status">
          {messages.loading}
        </p>
      )}
      <LoadFailed {...state} />
      {!known && <LoadFailed {...existing} />}
      {!loading && data?.manifest.routes.length === 0 && <EmptyState text={messages.empty} />}
      {!loading && data && <SkippedOperations skipped={data.manifest.skipped} />}
      {!loading && rows.length > 0 && (
        <>
          <ImportToolbar rows={shown} allRows={rows} search={search} onSearch={setSearch} onChange={choose} />
          {shown.length === 0 && <p className={styles.busy}>{messages.noneFound}</p>}
          <ImportRows rows={shown} errors={form.errors} onChange={(row) => choose([row])} />
        </>
      )}
      {!loading && (
        <ObsoleteRoutes routes={obsolete} removed={removed} onChange={(next) => form.change({ removed: next })} />
      )}
    </FormDialogView>
  );
}
