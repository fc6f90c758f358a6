import { skipToken } from '@apollo/client/react';
import { Button } from '@chakra-ui/react';
import type { ReactNode, RefObject } from 'react';
import { useDialogParam } from '../../lib/routing/useDialogParam';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { Page } from '../../ui/layout/Page';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import { useSubdomainQuery } from './generated/subdomains';
import { EditSubdomainDialog } from './lazyDialogs';
import { SubdomainList } from './list/SubdomainList';
import { useSubdomainRemoval } from './list/useSubdomainRemoval';
import { useSubdomains } from './list/useSubdomains';
import { subdomainsMessages as messages } from './subdomains.messages';
import { Wizard } from './wizard/Wizard';

/** Hides the button of the empty list while the wizard above the list is open. */
const emptyActionCss = { 'section:has(> [data-open]) ~ section &': { display: 'none' } };
const DIALOGS = ['editar', 'remover'] as const;

interface SubdomainsPageProps {
  /** Content above the wizard and the list. */
  overview: ReactNode;
  /** Refers to the wizard, or to null if the account may not create subdomains. */
  wizard: RefObject<Pick<HTMLElement, 'focus'> | null>;
}

/** The wizard, and the list of subdomains below it. */
export function SubdomainsPage({ overview, wizard }: SubdomainsPageProps) {
  const dialog = useDialogParam(DIALOGS);
  const subdomains = useSubdomains();
  const editedLabel = dialog.name === 'editar' ? dialog.id : null;
  const listedRow = subdomains.rows.find(({ subdomain }) => subdomain === editedLabel);
  const { data: editedData } = useSubdomainQuery(
    editedLabel === null || listedRow ? skipToken : { variables: { id: editedLabel } },
  );
  const editedRow = listedRow ?? (editedLabel === null ? undefined : editedData?.subdomain);
  const getRemovalProps = useSubdomainRemoval({
    entity: (subdomain) => ({ __typename: 'Subdomain', subdomain }),
    refetch: subdomains.refetch,
    onClose: dialog.close,
  });

  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      {overview}
      <WritersOnly>
        <Wizard
          ref={wizard}
          getExistingNames={() => subdomains.rows.map(({ subdomain }) => subdomain)}
          onCreated={subdomains.refetch}
        />
      </WritersOnly>
      <SubdomainList
        subdomains={subdomains}
        onEdit={(subdomain) => dialog.open('editar', subdomain)}
        onRemove={(subdomain) => dialog.open('remover', subdomain)}
        emptyAction={
          <Button css={emptyActionCss} onClick={() => wizard.current?.focus()}>
            {messages.list.emptyAction}
          </Button>
        }
      />
      {editedRow && <EditSubdomainDialog key={editedRow.subdomain} row={editedRow} onClose={dialog.close} />}
      {dialog.name === 'remover' && dialog.id && <ConfirmDialog {...getRemovalProps(dialog.id)} />}
    </Page>
  );
}
