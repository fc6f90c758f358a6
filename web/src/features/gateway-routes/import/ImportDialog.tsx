import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { foldAccents } from '../../../lib/format/foldAccents';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { LoadFailed } from '../../../ui/feedback/QueryState';
import { GainedAccess } from '../GainedAccess';
import { routesMessages } from '../gateway-routes.messages';
import { ObsoleteRoutes, SkippedOperations } from './ImportExtras';
import { ImportRows } from './ImportRows';
import { ImportSource, type ManifestSource } from './ImportSource';
import { ImportToolbar } from './ImportToolbar';
import type { ImportRow } from './importSelection';
import { type ImportedService, useImportForm, useManifest } from './useImport';

const messages = routesMessages.importing;

const centeredTextStyle = { py: '12', color: 'fg.muted', textAlign: 'center' } as const;

const matchesQuery = ({ method, path, summary, state, permission }: ImportRow, query: string) =>
  query === '' ||
  foldAccents(`${method} ${path} ${summary ?? ''} ${messages.states[state]} ${permission}`).includes(query);

interface RouteChoicesProps {
  rows: readonly ImportRow[];
  /** Errors by the key of the row. */
  errors: Readonly<Record<string, string>>;
  serviceName: string;
  search: string;
  onSearch: (search: string) => void;
  onChange: (changed: readonly ImportRow[]) => void;
}

/** The routes of the manifest that match the search, below their toolbar. */
function RouteChoices({ rows, errors, serviceName, search, onSearch, onChange }: RouteChoicesProps) {
  const rowThatRepeatsName = rows.find(({ path }) => path.split('/')[1] === serviceName);
  const query = foldAccents(search.trim());
  const shownRows = rows.filter((row) => matchesQuery(row, query));
  return (
    <>
      {rowThatRepeatsName && <chakra.p layerStyle="warning">{messages.repeated(rowThatRepeatsName.origin)}</chakra.p>}
      <ImportToolbar rows={shownRows} allRows={rows} search={search} onSearch={onSearch} onChange={onChange} />
      {shownRows.length === 0 && <chakra.p {...centeredTextStyle}>{messages.noneFound}</chakra.p>}
      <ImportRows rows={shownRows} errors={errors} onChange={(row) => onChange([row])} />
    </>
  );
}

interface ImportDialogProps {
  service: ImportedService;
  onClose: () => void;
  /** Switches to the routes tab, which closes the dialog. */
  onImported: () => void;
}

/** Imports routes from a service's manifest, which is loaded each time the dialog opens. */
export default function ImportDialog({ service, onClose, onImported }: ImportDialogProps) {
  const [search, setSearch] = useState('');
  const [source, setSource] = useState<ManifestSource>({});
  const { isLoading, manifestState, existingState, ...loadedData } = useManifest(service, source);
  const { form, rows, rowErrors, obsolete, removed, count, changeRows } = useImportForm(service, loadedData, {
    // The search is emptied, so that a row without a permission is visible.
    onInvalid: () => setSearch(''),
    onSaved: onImported,
  });
  const { manifest, existingRoutes } = loadedData;

  return (
    <FormDialog
      title={messages.title(service.name)}
      width="full"
      submitLabel={messages.save}
      form={form}
      disabled={isLoading || count === 0}
      note={<GainedAccess rows={rows} />}
      onClose={onClose}
    >
      {isLoading && (
        <chakra.p {...centeredTextStyle} role="status">
          {messages.loading}
        </chakra.p>
      )}
      {/* Another source starts without the error of the previous source. */}
      <LoadFailed key={source.document ?? source.address} {...manifestState} />
      {!existingRoutes && <LoadFailed {...existingState} />}
      <ImportSource
        proposal={`${service.host}/openapi.json`}
        source={source}
        isRead={!isLoading && manifest !== undefined}
        onChange={setSource}
      />
      {!isLoading && (
        <>
          {manifestState.failure && <EmptyState text={messages.unread} />}
          {manifest?.routes.length === 0 && <EmptyState text={messages.empty} />}
          {manifest && <SkippedOperations skipped={manifest.skipped} />}
          {rows.length > 0 && (
            <RouteChoices
              rows={rows}
              errors={rowErrors}
              serviceName={service.name}
              search={search}
              onSearch={setSearch}
              onChange={changeRows}
            />
          )}
          <ObsoleteRoutes routes={obsolete} removed={removed} onChange={(next) => form.change({ removed: next })} />
        </>
      )}
    </FormDialog>
  );
}
