import { check, type InferOutput, object, picklist, pipe, string } from 'valibot';
import type { DomainRole, SiteInput, WwwMode } from '../../generated/graph';
import { extractDomain, extractHost } from '../../lib/hosts/domainName';
import { DnsRecords } from '../../shared/host/DnsRecords';
import { domainStatusMessages } from '../../shared/host/domainStatus.messages';
import { FormDialog } from '../../ui/dialog/FormDialog';
import { RadioField } from '../../ui/form/fields/RadioField';
import { SelectField } from '../../ui/form/fields/SelectField';
import { HOST_INPUT, TextField } from '../../ui/form/fields/textFields';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { domainsMessages } from './domains.messages';
import { SiteDomainsDocument, useAddSiteDomainMutation } from './generated/domains';

const { dialog: messages, failure, roles, success } = domainsMessages;
const ROLES: readonly DomainRole[] = ['alias', 'redirect', 'primary'];

const schema = object({
  host: pipe(
    string(),
    check((text) => extractDomain(text) !== '', messages.empty),
  ),
  role: picklist<DomainRole[]>([...ROLES]),
  to: string(),
  www: picklist<WwwMode[]>(['serve', 'to_apex', 'to_www']),
});

const EMPTY: InferOutput<typeof schema> = { host: '', role: 'alias', to: '', www: 'serve' };

/** Adds a domain to a site. For a wildcard, the first submit shows the DNS record that proves ownership. */
export default function AddDomainDialog({ site, onClose }: { site: SiteInput; onClose: () => void }) {
  const [add] = useAddSiteDomainMutation({ refetchQueries: [SiteDomainsDocument], awaitRefetchQueries: true });
  const form = useAppForm({
    initial: EMPTY,
    schema,
    failureMessage: failure.add,
    messageFrom: 'details',
    isFailureNotified: true,
    send: ({ host, role, to, www }) => {
      const redirectTo = role === 'redirect' ? extractHost(to) || null : null;
      return add({ variables: { site, input: { host: extractDomain(host), role, to: redirectTo, www } } });
    },
    onSaved: onClose,
    success: success.added,
  });
  const role = form.watch('role');
  const record = form.failure?.record;
  return (
    <FormDialog title={messages.title} width={600} submitLabel={messages.submit} form={form} onClose={onClose}>
      {record && (
        <section aria-label={messages.proof}>
          <p>{messages.proof}</p>
          <DnsRecords host={form.watch('host')} records={[record]} />
        </section>
      )}
      <TextField {...form.text('host', messages)} {...HOST_INPUT} required />
      <SelectField
        {...form.choice('role', messages)}
        options={ROLES.map((value) => ({ value, label: roles[value] }))}
      />
      {role === 'redirect' && <TextField {...form.text('to', messages)} {...HOST_INPUT} />}
      {role !== 'redirect' && <RadioField {...form.choice('www', messages)} options={domainStatusMessages.wwwModes} />}
    </FormDialog>
  );
}
