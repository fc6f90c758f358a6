import { Button } from '@chakra-ui/react';
import { useSearchParams } from 'react-router';
import { brand } from '../../ui/brand';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { siteHost } from '../../ui/host';
import { notify } from '../../ui/notification';
import { Page } from '../../ui/Page';
import { useDialogParam } from '../../ui/useDialogParam';
import { useQueryText } from '../../ui/useQueryText';
import { useDeleteSubdomainMutation } from './generated/subdomains';
import { SubdomainList } from './SubdomainList';
import { subdomainsMessages as messages } from './subdomains.messages';
import { useSubdomainPages } from './useSubdomainPages';
import { Wizard } from './Wizard';

export const meta = () => [{ title: `${messages.title} · ${brand()}` }];

const DIALOGS = ['remover'] as const;

/** `/admin`: the wizard, and below it what exists. */
export default function SubdomainsPage() {
  const [query, setQuery] = useQueryText();
  const [params] = useSearchParams();
  const pages = useSubdomainPages(params.get('q') ?? '');
  const dialog = useDialogParam(DIALOGS);
  const [remove] = useDeleteSubdomainMutation({ fetchPolicy: 'no-cache' });
  const describe = () => document.querySelector<HTMLElement>('main textarea')?.focus();

  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <Wizard existing={() => pages.rows.map(({ subdomain }) => subdomain)} onCreated={pages.reload} />
      <SubdomainList
        pages={pages}
        query={query}
        setQuery={setQuery}
        onRemove={(subdomain) => dialog.open('remover', subdomain)}
        emptyAction={<Button onClick={describe}>{messages.list.emptyAction}</Button>}
      />
      {dialog.id && (
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
