import { Button } from '@chakra-ui/react';
import { useSearchParams } from 'react-router';
import { brand } from '../../ui/brand';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { focusFirstField } from '../../ui/focusFirstField';
import { siteHost } from '../../ui/host';
import { notify } from '../../ui/notification';
import { Page } from '../../ui/Page';
import { useDialogParam } from '../../ui/useDialogParam';
import { useQueryText } from '../../ui/useQueryText';
import { EditSubdomainDialog } from './EditSubdomainDialog';
import { type SubdomainRowFragment, useDeleteSubdomainMutation, useSubdomainsQuery } from './generated/subdomains';
import { SubdomainList } from './SubdomainList';
import { subdomainsMessages as messages } from './subdomains.messages';
import { useSubdomainPages } from './useSubdomainPages';
import { Wizard } from './Wizard';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const DIALOGS = ['editar', 'remover'] as const;

/** The row of that name; asked for by its name when it is not among those that are loaded. */
function useRow(name: string | null, loaded: readonly SubdomainRowFragment[]): SubdomainRowFragment | undefined {
  const named = (rows: readonly SubdomainRowFragment[]) => rows.find(({ subdomain }) => subdomain === name);
  const known = named(loaded);
  const { data } = useSubdomainsQuery({
    variables: { page: 1, limit: 100, search: name },
    skip: name === null || known !== undefined,
    fetchPolicy: 'no-cache',
  });
  return known ?? named(data?.subdomains.subdomains ?? []);
}

/** `/admin`: the wizard, and below it what exists. */
export default function SubdomainsPage() {
  const [query, setQuery] = useQueryText();
  const [params] = useSearchParams();
  const pages = useSubdomainPages(params.get('q') ?? '');
  const dialog = useDialogParam(DIALOGS);
  const [remove] = useDeleteSubdomainMutation({ fetchPolicy: 'no-cache' });
  const edited = useRow(dialog.name === 'editar' ? dialog.id : null, pages.rows);

  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <Wizard existing={() => pages.rows.map(({ subdomain }) => subdomain)} onCreated={pages.reload} />
      <SubdomainList
        pages={pages}
        query={query}
        setQuery={setQuery}
        onEdit={(subdomain) => dialog.open('editar', subdomain)}
        onRemove={(subdomain) => dialog.open('remover', subdomain)}
        emptyAction={<Button onClick={focusFirstField}>{messages.list.emptyAction}</Button>}
      />
      {edited && (
        <EditSubdomainDialog key={edited.subdomain} row={edited} onSaved={pages.replace} onClose={dialog.close} />
      )}
      {dialog.name === 'remover' && dialog.id && (
        <ConfirmDialog
          title={messages.removal.title}
          message={messages.removal.message(siteHost(dialog.id))}
          confirmLabel={messages.removal.confirm}
          width={400}
          fallback={messages.failure.remove}
          onClose={dialog.close}
          onConfirm={async () => {
            await remove({ variables: { subdomain: dialog.id ?? '' } });
            await pages.reload();
            dialog.close();
            notify(messages.success.removed);
          }}
        />
      )}
    </Page>
  );
}
