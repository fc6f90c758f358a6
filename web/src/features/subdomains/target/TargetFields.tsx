import { chakra, Grid } from '@chakra-ui/react';
import { FolderField } from '../../../shared/fields/FolderField';
import { CheckField } from '../../../ui/form/fields/checkFields';
import { RadioField } from '../../../ui/form/fields/RadioField';
import { CODE_INPUT, PORT_INPUT, TextField } from '../../../ui/form/fields/textFields';
import type { FormFields } from '../../../ui/form/formFields';
import { parsePastedUrl, type TargetValues } from '../subdomainForm';
import { subdomainsMessages } from '../subdomains.messages';

const messages = subdomainsMessages.form;
const twoColumns = 'repeat(2, minmax(0, 1fr))';

interface TargetFieldsProps {
  form: FormFields<TargetValues>;
  /** Whether the subdomain is new, so that its files may come from a folder or from versions. */
  isNew?: boolean;
}

function StaticFields({ form, isNew }: TargetFieldsProps) {
  const hasVersions = form.watch('source') === 'versions';
  return (
    <>
      {isNew && hasVersions ? (
        <chakra.p color="fg.muted">{messages.versionsHint}</chakra.p>
      ) : (
        <FolderField {...form.choice('staticPath', messages)} required={!hasVersions} />
      )}
      <TextField {...form.text('apiPort', messages)} {...PORT_INPUT} optional />
    </>
  );
}

function TunnelFields({ form }: TargetFieldsProps) {
  const splitPastedUrl = (text: string) => {
    const url = parsePastedUrl(text);
    if (url) form.change(({ targetPort }) => ({ targetHost: url.host, targetPort: targetPort || url.port }));
  };
  return (
    <>
      <TextField
        {...form.text('targetHost', messages)}
        {...CODE_INPUT}
        onBlur={({ target }) => splitPastedUrl(target.value)}
        // Enter submits the form without a blur.
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') splitPastedUrl(currentTarget.value);
        }}
        required
      />
      <TextField {...form.text('targetPort', messages)} {...PORT_INPUT} required />
    </>
  );
}

/** The type of a target, and the fields of that type (product §3). */
export function TargetFields({ form, isNew = false }: TargetFieldsProps) {
  const type = form.watch('type');
  const hasSource = isNew && type === 'static';
  return (
    <>
      <Grid templateColumns={isNew ? { lg: twoColumns } : undefined} gap="4">
        <RadioField {...form.choice('type', messages)} options={messages.types} />
        {hasSource && <RadioField {...form.choice('source', messages)} options={messages.sources} />}
        <Grid gridColumn={hasSource ? { lg: '1 / -1' } : undefined} templateColumns={{ md: twoColumns }} gap="4">
          {type === 'proxy' && <TextField {...form.text('port', messages)} {...PORT_INPUT} required />}
          {type === 'static' && <StaticFields form={form} isNew={isNew} />}
          {type === 'tunnel' && <TunnelFields form={form} />}
        </Grid>
      </Grid>
      {type === 'static' && <CheckField {...form.check('spaFallback', messages)} />}
    </>
  );
}
