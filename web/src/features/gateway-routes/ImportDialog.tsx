import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { array, boolean, check, forward, type InferOutput, object, pipe, record, string } from 'valibot';
import { foldAccents } from '../../lib/foldAccents';
import { notify, notifyError } from '../../lib/notification';
import { useQueryState } from '../../lib/useQueryState';
import { errorFields } from '../../lib/userError';
import FormDialogView from '../../ui/dialog/FormDialogView';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { LoadFailed } from '../../ui/feedback/QueryState';
import { useDraftForm } from '../../ui/form/useDraftForm';
import { GainedAccess } from './GainedAccess';
import { routesMessages } from './gateway-routes.messages';
import {
  AllGatewayRoutesDocument,
  useAllGatewayRoutesQuery,
  useImportGatewayRoutesMutation,
  useServiceManifestQuery,
} from './generated/gateway-routes';
import { ObsoleteRoutes, SkippedOperations } from './ImportExtras';
import { ImportRows } from './ImportRows';
import { ImportSource, type ManifestSource } from './ImportSource';
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

const choicesSchema = record(string(), object({ selected: boolean(), permission: string() }));
/** The choices by the key of the row, and the ids of the obsolete routes that are removed. */
const valuesSchema = object({ choices: choicesSchema, removed: array(string()) });
type ImportValues = InferOutput<typeof valuesSchema>;
const NOTHING_SELECTED: ImportValues = { choices: {}, removed: [] };

const centred = { py: '12', color: 'fg.muted', textAlign: 'center' } as const;

const matches = ({ method, path, summary, state, permission }: ImportRow, query: string) =>
  query === '' ||
  foldAccents(`${method} ${path} ${summary ?? ''} ${messages.states[state]} ${permission}`).includes(query);

interface ImportDialogProps {
  service: { _id: string; name: string; host: string };
  onClose: () => void;
  /** Switches to the routes tab, which closes the dialog. */
  onImported: () => void;
}

/** Imports routes from a service's manifest, which is loaded each time the dialog opens. */
export default function ImportDialog({ service, onClose, onImported }: ImportDialogProps) {
  const [search, setSearch] = useState('');
  const [isRefused, setRefused] = useState(false);
  const [source, setSource] = useState<ManifestSource>({});
  const manifest = useServiceManifestQuery({
    variables: { serviceId: service._id, ...source },
    fetchPolicy: 'no-cache',
  });
  const { data, state } = useQueryState(manifest, { fallback: failure.loadManifest });
  const isDocumentRefused = 'document' in errorFields(manifest.error);
  // The existing routes, with which the manifest is compared.
  const { data: existingRoutes, state: existing } = useQueryState(useAllGatewayRoutesQuery(), {
    fallback: failure.load,
  });
  const loading = state.loading || (!existingRoutes && existing.loading);
  const [save] = useImportGatewayRoutesMutation({
    refetchQueries: [AllGatewayRoutesDocument],
    update: (cache) => void cache.evict({ fieldName: 'gatewayRoutePage' }),
    awaitRefetchQueries: true,
    // The answer does not contain the removed routes.
    fetchPolicy: 'no-cache',
  });
  const rowsWith = (choices: Choices) =>
    data && existingRoutes ? importRows(service, data.manifest.routes, existingRoutes.gatewayRoutes, choices) : [];
  const obsolete =
    data && existingRoutes ? obsoleteRoutes(service, data.manifest.routes, existingRoutes.gatewayRoutes) : [];
  const obsoleteIdsOf = ({ removed }: ImportValues) => removed.filter((id) => obsolete.some(({ _id }) => _id === id));
  const form = useDraftForm({
    draft: `gateway-routes:importar:${service._id}`,
    initial: NOTHING_SELECTED,
    fallback: failure.create,
    schema: pipe(
      valuesSchema,
      forward(
        check(
          (values) => selectedRoutes(rowsWith(values.choices), obsoleteIdsOf(values)) !== undefined,
          messages.invalid,
        ),
        ['choices'],
      ),
    ),
    refusal: () => messages.invalid,
    onRefused: () => {
      setRefused(true);
      // The search is emptied, so that a row without a permission is visible.
      setSearch('');
    },
    onFailure: notifyError,
    send: (values) => {
      const remove = obsoleteIdsOf(values);
      const routes = selectedRoutes(rowsWith(values.choices), remove) ?? [];
      return save({ variables: { serviceId: service._id, routes, remove } });
    },
    onSaved: () => {
      onImported();
      notify(success.imported);
    },
  });
  const { choices } = form.values;
  const removed = obsoleteIdsOf(form.values);
  const rows = rowsWith(choices);
  const rowErrors = Object.fromEntries(
    (isRefused ? rowsWithoutPermission(rows) : []).map(({ key }) => [key, messages.permissionRequired]),
  );
  const repeatedRow = rows.find(({ path }) => path.split('/')[1] === service.name);
  const query = foldAccents(search.trim());
  const shownRows = rows.filter((row) => matches(row, query));
  const count = rows.filter(({ selected }) => selected).length + removed.length;
  const choose = (changed: readonly ImportRow[]) => {
    const choicesOfRows = changed.map(({ key, selected, permission }) => [key, { selected, permission }] as const);
    form.change({ choices: { ...choices, ...Object.fromEntries(choicesOfRows) } });
  };

  return (
    <FormDialogView
      title={messages.title(service.name)}
      width="full"
      submitLabel={messages.save}
      form={form}
      disabled={loading || count === 0}
      note={<GainedAccess rows={rows} />}
      onClose={onClose}
    >
      {loading && (
        <chakra.p {...centred} role="status">
          {messages.loading}
        </chakra.p>
      )}
      <LoadFailed {...state} onRetry={isDocumentRefused ? undefined : state.onRetry} />
      {!existingRoutes && <LoadFailed {...existing} />}
      <ImportSource proposal={`${service.host}/openapi.json`} source={source} onChange={setSource} />
      {!loading && state.failure && <EmptyState text={messages.unread} />}
      {!loading && data?.manifest.routes.length === 0 && <EmptyState text={messages.empty} />}
      {!loading && data && <SkippedOperations skipped={data.manifest.skipped} />}
      {!loading && rows.length > 0 && (
        <>
          {repeatedRow && <chakra.p layerStyle="warning">{messages.repeated(repeatedRow.origin)}</chakra.p>}
          <ImportToolbar rows={shownRows} allRows={rows} search={search} onSearch={setSearch} onChange={choose} />
          {shownRows.length === 0 && <chakra.p {...centred}>{messages.noneFound}</chakra.p>}
          <ImportRows rows={shownRows} errors={rowErrors} onChange={(row) => choose([row])} />
        </>
      )}
      {!loading && (
        <ObsoleteRoutes routes={obsolete} removed={removed} onChange={(next) => form.change({ removed: next })} />
      )}
    </FormDialogView>
  );
}
