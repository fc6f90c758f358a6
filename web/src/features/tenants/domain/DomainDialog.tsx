import { Button, chakra, Grid } from '@chakra-ui/react';
import { useId } from 'react';
import { useNavigate } from 'react-router';
import { check, object, picklist, pipe, string } from 'valibot';
import type { WwwMode } from '../../../generated/graph';
import { extractDomain } from '../../../lib/hosts/domainName';
import { notify, notifyError } from '../../../lib/notifications/notification';
import { paths, withParams } from '../../../lib/routing/paths';
import { DnsRecords } from '../../../shared/host/DnsRecords';
import { domainStatusMessages } from '../../../shared/host/domainStatus.messages';
import { CopyButton } from '../../../ui/cells/CopyButton';
import { FormDialog } from '../../../ui/dialog/FormDialog';
import { RadioField } from '../../../ui/form/fields/RadioField';
import { HOST_INPUT, TextField } from '../../../ui/form/fields/textFields';
import { useAppForm } from '../../../ui/form/state/useAppForm';
import { type TenantRowFragment, useSetTenantDomainMutation, useTenantOptionsQuery } from '../generated/tenants';
import { tenantsMessages } from '../tenants.messages';
import { DomainHosts } from './DomainHosts';

const { domain: messages, failure, success } = tenantsMessages;

const schema = object({
  domain: pipe(
    string(),
    check((text) => extractDomain(text) !== '', messages.empty),
  ),
  www: picklist<WwwMode[]>(['serve', 'to_apex', 'to_www']),
});

/** Returns a function that notifies that the domain was saved, and whether its DNS records are missing. */
function useNotifyDomain(tenantId: string, serverIps: readonly string[]) {
  const navigate = useNavigate();
  return (hosts: readonly { dns: string }[]) => {
    if (hosts.every(({ dns }) => dns === 'ok')) notify(success.domain);
    else if (serverIps.length === 0) notify(success.domain, { note: domainStatusMessages.noServerIp });
    else {
      const run = () => void navigate(withParams(paths.tenants, { dominio: tenantId }));
      notify(success.domain, { note: success.dnsMissing, action: { label: success.showRecords, run } });
    }
  };
}

/** The hint of the domain field, with buttons that copy the server's addresses. Only the text describes the field. */
const ServerIps = ({ hintId, ips }: { hintId: string; ips: readonly string[] }) => (
  <chakra.div textStyle="xs" color="fg.muted">
    <span id={hintId}>{messages.hint(ips.join(', ') || null)}</span>
    {ips.map((ip) => (
      <CopyButton key={ip} text={ip} label={ips.length === 1 ? messages.copyIp : `${messages.copyIp} ${ip}`} />
    ))}
  </chakra.div>
);

interface DomainDialogProps {
  tenant: TenantRowFragment;
  onChanged: () => Promise<unknown>;
  onCheck: () => Promise<unknown>;
  onRemove: () => void;
  onClose: () => void;
}

/** Sets or changes a tenant's custom domain, and shows the status of the current domain. */
export function DomainDialog({ tenant, onChanged, onCheck, onRemove, onClose }: DomainDialogProps) {
  const hintId = useId();
  const serverIps = useTenantOptionsQuery().data?.installation.serverIps ?? [];
  const notifyDomain = useNotifyDomain(tenant._id, serverIps);
  const [save] = useSetTenantDomainMutation();
  const form = useAppForm({
    draft: `tenants:dominio:${tenant._id}`,
    initial: { domain: tenant.displayDomain ?? '', www: tenant.wwwMode },
    schema,
    failureMessage: failure.domain,
    messageFrom: 'details',
    isFailureNotified: true,
    onInvalid: () => {
      notifyError({ message: messages.empty });
      return null;
    },
    send: async ({ domain, www }) => {
      const { data } = await save({ variables: { id: tenant._id, domain: extractDomain(domain), www } });
      await onChanged();
      return data?.setTenantDomain.domainStatus ?? [];
    },
    onSaved: (hosts) => {
      onClose();
      notifyDomain(hosts);
    },
  });
  const setDomain = (text: string) => form.change({ domain: extractDomain(text) });

  return (
    <FormDialog title={messages.title(tenant.name)} submitLabel={messages.save} form={form} onClose={onClose}>
      {form.failure?.record && (
        <section aria-label={messages.proof}>
          <DnsRecords host={form.watch('domain')} records={[form.failure.record]} />
        </section>
      )}
      <Grid gap="1.5">
        <TextField
          {...form.text('domain', messages)}
          required
          describedBy={hintId}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text');
            if (!pasted.includes('/')) return;
            event.preventDefault();
            setDomain(pasted);
          }}
          onBlur={({ target }) => {
            if (extractDomain(target.value) !== target.value) setDomain(target.value);
          }}
          {...HOST_INPUT}
        />
        <ServerIps hintId={hintId} ips={serverIps} />
      </Grid>
      <RadioField {...form.choice('www', messages)} options={domainStatusMessages.wwwModes} />
      {tenant.customDomain && <DomainHosts tenantId={tenant._id} domain={tenant.customDomain} onCheck={onCheck} />}
      {tenant.customDomain && (
        <Button
          variant="plain"
          justifySelf="start"
          color="fg.error"
          textStyle="xs"
          fontWeight="medium"
          onClick={onRemove}
        >
          {messages.remove}
        </Button>
      )}
    </FormDialog>
  );
}
