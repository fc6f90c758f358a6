import { Button, chakra, Flex, Input, Textarea } from '@chakra-ui/react';
import { useState } from 'react';
import { addScheme } from '../../../lib/hosts/domainName';
import { notifyFailure } from '../../../lib/notifications/notification';
import { FileButton } from '../../../ui/form/fields/FileButton';
import { uiMessages } from '../../../ui/ui.messages';
import { routesMessages } from '../gateway-routes.messages';

const { source: messages } = routesMessages.importing;

/** The source of the routes. An empty source is the service's own manifest. */
export interface ManifestSource {
  document?: string;
  address?: string;
}

interface ImportSourceProps {
  /** The initial text of the field for another URL. */
  proposal: string;
  source: ManifestSource;
  /** Whether the routes of `source` are shown. */
  isRead: boolean;
  onChange: (source: ManifestSource) => void;
}

interface SourceFieldProps {
  name: keyof ManifestSource;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  onSubmit: () => void;
}

/** The field for a document or for its URL, with the button that reads it. */
function SourceField({ name, onSubmit, ...props }: SourceFieldProps) {
  const control = { ...props, flex: '1 1 280px', autoFocus: true, spellCheck: false };
  return (
    <Flex wrap="wrap" align="start" gap="2" mt="2">
      {name === 'document' ? (
        <Textarea {...control} rows={6} aria-label={messages.document} placeholder={messages.document} />
      ) : (
        <Input
          {...control}
          type="url"
          aria-label={messages.addressLabel}
          placeholder={messages.addressPlaceholder}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter would submit the form and save the import.
            event.preventDefault();
            onSubmit();
          }}
        />
      )}
      <Button variant="outline" disabled={control.value.trim() === ''} onClick={onSubmit}>
        {name === 'document' ? messages.read : messages.fetch}
      </Button>
    </Flex>
  );
}

/** Reads the routes from a pasted document, a file or another URL instead of the service's own manifest. */
export function ImportSource({ proposal, source, isRead, onChange }: ImportSourceProps) {
  const [openField, setOpenField] = useState<keyof ManifestSource | null>(null);
  const [texts, setTexts] = useState({ document: '', address: proposal });
  const [isSubmitted, setSubmitted] = useState(false);
  // A refused text stays on screen, so that it can be corrected.
  const shownField = isSubmitted && isRead ? null : openField;
  /** Opens a field. An open field stays open, else a double click would open it and close it again. */
  const open = (field: keyof ManifestSource) => {
    if (shownField === field) return;
    setSubmitted(false);
    setOpenField(field);
  };
  /** Completes a path with the host of the service, and a host with a scheme. */
  const toUrl = (typed: string) => (/^\/(?!\/)/.test(typed) ? new URL(typed, proposal).href : addScheme(typed));
  const submit = () => {
    if (!openField || texts[openField].trim() === '') return;
    setSubmitted(true);
    onChange(openField === 'document' ? { document: texts.document } : { address: toUrl(texts.address.trim()) });
  };
  return (
    <chakra.fieldset minW="0" aria-label={messages.label}>
      <Flex wrap="wrap" gap="2">
        <Button variant="outline" size="sm" aria-expanded={shownField === 'document'} onClick={() => open('document')}>
          {messages.paste}
        </Button>
        <FileButton
          variant="outline"
          size="sm"
          label={messages.upload}
          accept=".json,.yaml,.yml"
          onFiles={([file]) => {
            setOpenField(null);
            file.text().then((document) => onChange({ document }), notifyFailure(uiMessages.unreadableFile));
          }}
        >
          {messages.upload}
        </FileButton>
        <Button variant="outline" size="sm" aria-expanded={shownField === 'address'} onClick={() => open('address')}>
          {messages.address}
        </Button>
        {Object.keys(source).length > 0 && (
          <Button variant="outline" size="sm" onClick={() => onChange({})}>
            {messages.own}
          </Button>
        )}
      </Flex>
      {shownField && (
        <SourceField
          name={shownField}
          value={texts[shownField]}
          onChange={({ target }) => setTexts({ ...texts, [shownField]: target.value })}
          onSubmit={submit}
        />
      )}
    </chakra.fieldset>
  );
}
