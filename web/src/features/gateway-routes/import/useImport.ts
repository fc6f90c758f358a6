import { useState } from 'react';
import { array, boolean, check, forward, type InferOutput, object, pipe, record, string } from 'valibot';
import { normalizePermission } from '../../../lib/gateway/permissions';
import { evictFields } from '../../../lib/graphql/client/evictFields';
import { useQueryState } from '../../../lib/graphql/query/useQueryState';
import { getErrorFields } from '../../../lib/userError';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { routesMessages } from '../gateway-routes.messages';
import {
  AllGatewayRoutesDocument,
  useAllGatewayRoutesQuery,
  useImportGatewayRoutesMutation,
  useServiceManifestQuery,
} from '../generated/gateway-routes';
import type { ManifestSource } from './ImportSource';
import {
  type Choices,
  createImportRows,
  findObsoleteRoutes,
  findRowsWithoutPermission,
  type ImportRow,
  toImportInput,
} from './importSelection';

const { importing: messages, success, failure } = routesMessages;

const choicesSchema = record(string(), object({ selected: boolean(), permission: string() }));
/** The choices by the key of the row, and the ids of the obsolete routes to remove. */
const valuesSchema = object({ choices: choicesSchema, removed: array(string()) });
type ImportValues = InferOutput<typeof valuesSchema>;
const NOTHING_SELECTED: ImportValues = { choices: {}, removed: [] };

export interface ImportedService {
  _id: string;
  name: string;
  host: string;
}

/** The manifest of a service, and the existing routes with which it is compared. */
export function useManifest(service: ImportedService, source: ManifestSource) {
  const manifest = useServiceManifestQuery({
    variables: { serviceId: service._id, ...source },
    // A key of the cache would contain the document, which has up to 5,000 routes.
    fetchPolicy: 'no-cache',
  });
  const { data, state } = useQueryState(manifest, { failureMessage: failure.loadManifest });
  const { data: existing, state: existingState } = useQueryState(useAllGatewayRoutesQuery(), {
    failureMessage: failure.load,
  });
  return {
    // After a refusal `data` still comes from the previous source.
    manifest: state.failure ? undefined : data?.manifest,
    existingRoutes: existing?.gatewayRoutes,
    isLoading: state.loading || (!existing && existingState.loading),
    /** A refused document has no retry, because its text stays the same. */
    manifestState: { ...state, onRetry: 'document' in getErrorFields(manifest.error) ? undefined : state.onRetry },
    existingState,
  };
}

/** The selection of the routes to import and to remove, as a form that saves all of them or none. */
export function useImportForm(
  service: ImportedService,
  { manifest, existingRoutes }: Pick<ReturnType<typeof useManifest>, 'manifest' | 'existingRoutes'>,
  { onInvalid, onSaved }: { onInvalid: () => void; onSaved: () => void },
) {
  const [isRefused, setRefused] = useState(false);
  const [save] = useImportGatewayRoutesMutation({
    refetchQueries: [AllGatewayRoutesDocument],
    update: evictFields('gatewayRoutePage'),
    awaitRefetchQueries: true,
    // The response does not contain the removed routes.
    fetchPolicy: 'no-cache',
  });
  const createRows = (choices: Choices) =>
    manifest && existingRoutes ? createImportRows(service, manifest.routes, existingRoutes, choices) : [];
  const obsolete = manifest && existingRoutes ? findObsoleteRoutes(service, manifest.routes, existingRoutes) : [];
  const selectObsoleteIds = ({ removed }: ImportValues) =>
    removed.filter((id) => obsolete.some(({ _id }) => _id === id));
  const isComplete = (values: ImportValues) =>
    toImportInput(createRows(values.choices), selectObsoleteIds(values)) !== undefined;
  const form = useAppForm({
    draft: `gateway-routes:importar:${service._id}`,
    initial: NOTHING_SELECTED,
    schema: pipe(valuesSchema, forward(check(isComplete, messages.invalid), ['choices'])),
    failureMessage: failure.create,
    isFailureNotified: true,
    onInvalid: () => {
      setRefused(true);
      onInvalid();
      const isMalformed = findRowsWithoutPermission(rows).some(({ permission }) => permission.trim() !== '');
      return isMalformed ? messages.permissionRequired : messages.invalid;
    },
    send: (values) => {
      const remove = selectObsoleteIds(values);
      const routes = toImportInput(createRows(values.choices), remove) ?? [];
      return save({ variables: { serviceId: service._id, routes, remove } });
    },
    onSaved,
    success: success.imported,
  });
  const values = form.watch();
  const rows = createRows(values.choices);
  const removed = selectObsoleteIds(values);
  return {
    form,
    rows,
    rowErrors: Object.fromEntries(
      (isRefused ? findRowsWithoutPermission(rows) : []).map(({ key }) => [key, messages.permissionRequired]),
    ),
    obsolete,
    /** Ids of the obsolete routes that the save removes. */
    removed,
    /** Number of routes that the save creates, changes or removes. */
    count: rows.filter(({ selected }) => selected).length + removed.length,
    changeRows: (changed: readonly ImportRow[]) => {
      const choicesOfRows = changed.map(
        ({ key, selected, permission }) => [key, { selected, permission: normalizePermission(permission) }] as const,
      );
      form.change(({ choices }) => ({ choices: { ...choices, ...Object.fromEntries(choicesOfRows) } }));
    },
  };
}
