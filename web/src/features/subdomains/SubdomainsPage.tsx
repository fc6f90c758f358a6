import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { siteHost } from '../../lib/host';
import { useDialogParam } from '../../lib/useDialogParam';
import { useRemoval } from '../../lib/useRemoval';
import { useSearchText } from '../../lib/useSearchText';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { Button } from '../../ui/form/Button';
import { focusFirstField } from '../../ui/form/Form';
import { Page } from '../../ui/layout/Page';
import { EditSubdomainDialog } from './EditSubdomainDialog';
import { useDeleteSubdomainMutation } from './generated/subdomains';
import { SubdomainList } from './SubdomainList';
import { subdomainsMessages as messages } from './subdomains.messages';
import { useSubdomainPages } from './useSubdomainPages';
import { useSubdomainRow } from './useSubdomainRow';
import { Wizard } from './Wizard';

const DIALOGS = ['editar', 'remover'] as const;

/** The wizard, and below it what exists. @param overview what stands above them */
export function SubdomainsPage({ overview }: { overview: ReactNode }) {
  const search = useSearchText();
  const [params] = useSearchParams();
  const pages = useSubdomainPages(params.get('q') ?? '');
  const dialog = useDialogParam(DIALOGS);
  const edited = useSubdomainRow(dialog.name === 'editar' ? dialog.id : null, pages.rows);
  const [deleteSubdomain] = useDeleteSubdomainMutation({ fetchPolicy: 'no-cache' });
  const removal = useRemoval<string>({
    title: messages.removal.title,
    message: (subdomain) => messages.removal.message(siteHost(subdomain)),
    confirmLabel: messages.removal.confirm,
    send: (subdomain) => deleteSubdomain({ variables: { subdomain } }),
    refetch: pages.reload,
    onClose: dialog.close,
    success: messages.success.removed,
    fallback: messages.failure.remove,
  });

  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      {overview}
      <Wizard existing={() => pages.rows.map(({ subdomain }) => subdomain)} onCreated={pages.reload} />
      <SubdomainList
        pages={pages}
        search={search}
        onEdit={(subdomain) => dialog.open('editar', subdomain)}
        onRemove={(subdomain) => dialog.open('remover', subdomain)}
        emptyAction={<Button onClick={focusFirstField}>{messages.list.emptyAction}</Button>}
      />
      {edited && (
        <EditSubdomainDialog key={edited.subdomain} row={edited} onSaved={pages.replace} onClose={dialog.close} />
      )}
      {dialog.name === 'remover' && dialog.id && <ConfirmDialog {...removal(dialog.id)} />}
    </Page>
  );
}
