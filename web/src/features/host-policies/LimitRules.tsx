import { SimpleGrid } from '@chakra-ui/react';
import { getNumberProps, TextField } from '../../ui/form/fields/textFields';
import type { FormFields } from '../../ui/form/formFields';
import { hostPoliciesMessages } from './host-policies.messages';
import type { PolicyValues } from './policyForm';
import { RuleSection } from './RuleSection';

const { limits: messages } = hostPoliciesMessages;

interface LimitRulesProps {
  form: FormFields<PolicyValues>;
  canInherit: boolean;
  disabled: boolean;
}

/** The rules that limit the requests of a visitor, the size of an upload, and the time to wait for the target. */
export function LimitRules({ form, ...ruleProps }: LimitRulesProps) {
  return (
    <>
      <RuleSection {...ruleProps} texts={messages.rate} {...form.control('rateState')}>
        <SimpleGrid columns={{ md: 2 }} gap="4">
          <TextField {...form.text('rateRequests', messages)} {...getNumberProps(1, 1_000_000)} required />
          <TextField {...form.text('rateSeconds', messages)} {...getNumberProps(1, 86_400)} required />
        </SimpleGrid>
      </RuleSection>
      <RuleSection {...ruleProps} texts={messages.maxBody} {...form.control('maxBodyState')}>
        <SimpleGrid columns={{ md: 2 }} gap="4">
          <TextField {...form.text('maxBodyMb', messages)} {...getNumberProps(1, 1024)} required />
        </SimpleGrid>
      </RuleSection>
      <RuleSection {...ruleProps} texts={messages.timeout} {...form.control('timeoutState')}>
        <SimpleGrid columns={{ md: 2 }} gap="4">
          <TextField {...form.text('timeoutSeconds', messages)} {...getNumberProps(1, 600)} required />
        </SimpleGrid>
      </RuleSection>
    </>
  );
}
