import { chakra } from '@chakra-ui/react';
import type { SiteInput } from '../../generated/graph';
import { readFresh } from '../../lib/graphql/client/client';
import { useAccess } from '../../lib/session/access';
import { Form, SubmitButton } from '../../ui/form/Form';
import { SelectField } from '../../ui/form/fields/SelectField';
import { CODE_INPUT, TextareaField } from '../../ui/form/fields/textFields';
import { useAppForm } from '../../ui/form/state/useAppForm';
import { Panel } from '../../ui/layout/Page';
import { AccessFields } from './AccessFields';
import { BrandingFields } from './BrandingFields';
import { fieldLabels, formatFieldValue } from './fieldLabels';
import { HostPolicyDocument, type HostPolicyFragment, useUpdateHostPolicyMutation } from './generated/host-policies';
import { HostTestPanel } from './HostTestPanel';
import { hostPoliciesMessages as messages } from './host-policies.messages';
import { LimitRules } from './LimitRules';
import { MaintenanceFields } from './MaintenanceFields';
import { policySchema, toPolicyInput, toPolicyValues } from './policyForm';
import { RuleSection } from './RuleSection';

interface PolicyFormProps {
  site: SiteInput;
  policy: HostPolicyFragment;
  /** The URL of the site; null while it is not known. */
  url: string | null;
}

/** All rules of a site in one form, and the test of a URL with these rules. */
export function PolicyForm({ site, policy, url }: PolicyFormProps) {
  const { canWrite } = useAccess();
  const [update] = useUpdateHostPolicyMutation({
    // A form that opens later starts with the saved rules.
    update: (cache, { data }) =>
      data &&
      cache.writeQuery({ query: HostPolicyDocument, variables: { site }, data: { hostPolicy: data.updateHostPolicy } }),
  });
  const form = useAppForm({
    // The form has no draft, because a draft would store the password.
    initial: toPolicyValues(policy),
    schema: policySchema,
    scope: 'page',
    failureMessage: messages.failure.save,
    send: (values, version) => update({ variables: { site, input: toPolicyInput(values), version } }),
    editedEntity: {
      row: policy,
      read: async () => (await readFresh(HostPolicyDocument, { site }))?.hostPolicy,
      toValues: toPolicyValues,
      labels: fieldLabels,
      format: formatFieldValue,
      getVersion: ({ data }) => data?.updateHostPolicy.version,
    },
    onSaved: ({ data }) => data && form.reset(toPolicyValues(data.updateHostPolicy)),
    success: messages.saved,
  });
  const disabled = !canWrite;
  const canInherit = site.type === 'tenant';
  const ruleProps = { canInherit, disabled };
  return (
    // In a wider form, a rule and its control would be too far apart.
    <chakra.div maxW="960px">
      <Panel title={messages.title} text={messages.text}>
        <Form aria-label={messages.title} form={form}>
          <chakra.fieldset minW="0" disabled={disabled}>
            <RuleSection {...ruleProps} texts={messages.access} {...form.control('accessState')}>
              <AccessFields form={form} />
            </RuleSection>
            <RuleSection {...ruleProps} texts={messages.maintenance} {...form.control('maintenanceState')}>
              <MaintenanceFields form={form} />
            </RuleSection>
            <RuleSection {...ruleProps} texts={messages.redirects} {...form.control('redirectsState')}>
              <TextareaField {...form.text('redirects', messages.redirects)} {...CODE_INPUT} rows={4} />
            </RuleSection>
            <RuleSection {...ruleProps} texts={messages.headers} {...form.control('headersState')}>
              <TextareaField {...form.text('headers', messages.headers)} {...CODE_INPUT} rows={4} />
            </RuleSection>
            <LimitRules form={form} {...ruleProps} />
            <RuleSection {...ruleProps} texts={messages.branding} {...form.control('brandingState')}>
              <BrandingFields form={form} disabled={disabled} />
            </RuleSection>
            <chakra.section py="4" borderTopWidth="1px" borderColor="border" aria-label={messages.indexing.title}>
              <chakra.div maxW="320px">
                <SelectField
                  {...form.choice('noindex', { noindex: messages.indexing.label })}
                  options={[
                    { value: 'unset', label: canInherit ? messages.indexing.inherit : messages.indexing.unset },
                    { value: 'true', label: messages.indexing.noindex },
                    ...(canInherit ? [{ value: 'false' as const, label: messages.indexing.index }] : []),
                  ]}
                />
              </chakra.div>
            </chakra.section>
          </chakra.fieldset>
          {canWrite && (
            <div>
              <SubmitButton isPending={form.isPending}>{messages.save}</SubmitButton>
            </div>
          )}
        </Form>
      </Panel>
      {url !== null && <HostTestPanel url={url} policy={toPolicyInput(form.watch())} />}
    </chakra.div>
  );
}
