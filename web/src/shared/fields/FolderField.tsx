import { chakra, Flex, Grid } from '@chakra-ui/react';
import { useId, useRef } from 'react';
import { useCreateStaticFolderMutation, useStaticFoldersQuery } from '../../lib/graphql/generated/shared';
import { getErrorFields, toUserError } from '../../lib/userError';
import type { ElementProps } from '../../ui/form/fields/controlProps';
import type { FieldProps } from '../../ui/form/fields/Field';
import { CODE_INPUT, TextField } from '../../ui/form/fields/textFields';
import { useResponseTo } from '../../ui/form/useResponseTo';
import { folderMessages as messages } from './folder.messages';

const FolderButton = chakra('button', {
  base: {
    minHeight: '24px',
    color: 'brand.fg',
    fontWeight: 'medium',
    overflowWrap: 'anywhere',
    textAlign: 'start',
    cursor: 'pointer',
    textUnderlineOffset: '3px',
    _hover: { textDecoration: 'underline' },
  },
});

const noteStyle = { textStyle: 'xs', color: 'fg.muted' } as const;

interface FolderFieldProps
  extends Omit<ElementProps<'input'>, 'onChange'>,
    Pick<FieldProps, 'label' | 'error' | 'required'> {
  value: string;
  onChange: (path: string) => void;
}

/** A field for the path of a folder on the server. Its buttons choose an allowed folder or create a missing one. */
export function FolderField({ label, value, error, onChange, ...rest }: FolderFieldProps) {
  const folders = useStaticFoldersQuery().data?.staticFolders;
  const [createFolder, { loading: isPending }] = useCreateStaticFolderMutation();
  const input = useRef<HTMLInputElement>(null);
  const allowedId = useId();
  const path = value.trim();
  /** The result of the last creation, while the field has the same path. */
  const [creation, setCreation] = useResponseTo<{ error?: string }>({ path });
  const isCreated = creation !== null && creation.error === undefined;
  // Only a folder below an allowed folder can be created.
  const canCreate = folders?.some(
    (folder) => path.startsWith(`${folder.path}/`) && path.length > folder.path.length + 1,
  );

  /** Fills in an allowed folder. The cursor is placed at the end of the path. */
  function fillIn(folder: string) {
    onChange(`${folder}/`);
    input.current?.focus();
  }

  async function create() {
    try {
      await createFolder({ variables: { path } });
      setCreation({});
      // Reporting the same path removes the error that the folder is missing.
      onChange(path);
    } catch (failure) {
      setCreation({ error: getErrorFields(failure).path ?? toUserError(failure, messages.failed).message });
    }
  }

  return (
    <Grid alignContent="start" gap="1.5" minW="0">
      <TextField
        {...CODE_INPUT}
        {...rest}
        ref={input}
        label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        error={error ?? creation?.error}
      />
      {/* The buttons are not the `hint` of the field: screen readers would read all of them as its description. */}
      {folders && (
        <Flex role="group" aria-labelledby={allowedId} wrap="wrap" align="center" gap="2px 10px" {...noteStyle}>
          <span id={allowedId}>{messages.allowed}</span>
          {folders.map((folder) => (
            <FolderButton key={folder.path} type="button" onClick={() => fillIn(folder.path)}>
              {folder.path}
            </FolderButton>
          ))}
          {canCreate && !isCreated && (
            <FolderButton type="button" flexBasis="100%" onClick={create} aria-busy={isPending || undefined}>
              {messages.create}
            </FolderButton>
          )}
          <span role="status">{isCreated ? messages.created : ''}</span>
        </Flex>
      )}
    </Grid>
  );
}
