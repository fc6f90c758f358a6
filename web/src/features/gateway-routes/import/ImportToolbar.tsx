import { Button, Flex, Grid, Input } from '@chakra-ui/react';
import { type KeyboardEvent, useState } from 'react';
import { RowCheckbox } from '../../../ui/cells/RowCheckbox';
import { Field } from '../../../ui/form/fields/Field';
import { routesMessages } from '../gateway-routes.messages';
import type { ImportRow } from './importSelection';

const { importing: messages } = routesMessages;

interface ImportToolbarProps {
  /** Rows that match the search. "Select all" applies to these rows. */
  rows: readonly ImportRow[];
  allRows: readonly ImportRow[];
  search: string;
  onSearch: (search: string) => void;
  onChange: (changed: readonly ImportRow[]) => void;
}

/** Keeps Enter in these fields from submitting the form. */
const ignoreEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault();
};

/** The toolbar above the rows: search, "select all", and one permission for all selected rows. */
export function ImportToolbar({ rows, allRows, search, onSearch, onChange }: ImportToolbarProps) {
  const [permission, setPermission] = useState('');
  const selected = allRows.filter((row) => row.selected);
  const selectable = rows.filter(({ state }) => state !== 'unchanged');
  return (
    <Grid gap="2">
      <Flex wrap="wrap" align="end" gap="2">
        <Input
          flex="1 1 220px"
          maxW={{ md: '320px' }}
          type="search"
          aria-label={messages.search}
          placeholder={messages.search}
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={(event) => {
            ignoreEnter(event);
            if (event.key === 'Escape') onSearch('');
          }}
        />
        <Button
          variant="outline"
          disabled={!rows.some(({ state }) => state === 'new')}
          onClick={() =>
            onChange(rows.filter(({ state }) => state === 'new').map((row) => ({ ...row, selected: true })))
          }
        >
          {messages.selectNew}
        </Button>
        <Flex flex="0 1 420px" align="end" gap="2" minW="0" ms="auto">
          <Field label={messages.permissionForAll}>
            {(control) => (
              <Input
                {...control}
                placeholder={messages.permissionPlaceholder}
                value={permission}
                onChange={(event) => setPermission(event.target.value)}
                onKeyDown={ignoreEnter}
              />
            )}
          </Field>
          <Button
            variant="outline"
            disabled={selected.length === 0 || permission.trim() === ''}
            onClick={() => onChange(selected.map((row) => ({ ...row, permission: permission.trim() })))}
          >
            {messages.applyToSelected}
          </Button>
        </Flex>
      </Flex>
      {/* The padding aligns the checkbox with the checkboxes of the rows. */}
      <Flex wrap="wrap" align="center" columnGap="4" px="17px" color="fg.muted">
        <RowCheckbox
          label={messages.selectAll}
          checked={selectable.length > 0 && selectable.every((row) => row.selected)}
          disabled={selectable.length === 0}
          onChange={(isSelected) => onChange(selectable.map((row) => ({ ...row, selected: isSelected })))}
        />
        <span aria-live="polite">{messages.selected(selected.length, allRows.length)}</span>
      </Flex>
    </Grid>
  );
}
