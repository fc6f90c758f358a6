import { skipToken, useApolloClient } from '@apollo/client/react';
import { Button } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { useSearchParamsState } from '../../lib/routing/useSearchParamsState';
import { useSearchText } from '../../lib/routing/useSearchText';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { focusFirstField } from '../../ui/form/focusFirstField';
import { Page } from '../../ui/layout/Page';
import { WriteOnly } from '../../ui/layout/WriteOnly';
import { useSubdomainQuery } from './generated/subdomains';
import { EditSubdomainDialog } from './lazyDialogs';
import { SubdomainList } from './SubdomainList';
import { subdomainsMessages as messages } from './subdomains.messages';
import styles from './subdomains.module.css';
import { useSubdomainRemoval } from './useSubdomainRemoval';
import { readFilter, useSubdomains } from './useSubdomains';
import { Wizard } from './Wizard';

const DIALOGS = ['editar', 'remover'] as const;

/** The wizard, and the list of subdomains below it. @param overview content above both */
export function SubdomainsPage({ overview }: { overview: ReactNode }) {
  const search = useSearchText();
  const { params, update } = useSearchParamsState();
  const filter = readFilter(params);
  const subdomains = useSubdomains(filter);
  const dialog = useDialogParam(DIALOGS);
  const editedLabel = dialog.name === 'editar' ? dialog.id : null;
  const listedRow = subdomains.rows.find(({ subdomain }) => subdomain === editedLabel);
  const { data: editedData } = useSubdomainQuery(
    editedLabel === null || listedRow ? skipToken : { variables: { id: editedLabel } },
  );
  const editedRow = listedRow ?? (editedLabel === null ? undefined : editedData?.subdomain);
  const { cache } = useApolloClient();
  const removal = useSubdomainRemoval({
    onRemoved: (subdomain) => cache.evict({ id: cache.identify({ __typename: 'Subdomain', subdomain }) }),
    refetch: subdomains.refetch,
    onClose: dialog.close,
  });

  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      {overview}
      <WriteOnly>
        <Wizard
          getExistingNames={() => subdomains.rows.map(({ subdomain }) => subdomain)}
          onCreated={subdomains.refetch}
        />
      </WriteOnly>
      <SubdomainList
        subdomains={subdomains}
        search={search}
        state={filter.state}
        onStateChange={(state) => update({ filtro: state })}
        onEdit={(subdomain) => dialog.open('editar', subdomain)}
        onRemove={(subdomain) => dialog.open('remover', subdomain)}
        emptyAction={
          <Button className={styles.first} onClick={focusFirstField}>
            {messages.list.emptyAction}
          </Button>
        }
      />
      {editedRow && <EditSubdomainDialog key={editedRow.subdomain} row={editedRow} onClose={dialog.close} />}
      {dialog.name === 'remover' && dialog.id && <ConfirmDialog {...removal(dialog.id)} />}
    </Page>
  );
}
