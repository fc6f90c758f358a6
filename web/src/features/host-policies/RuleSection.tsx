import { chakra, Flex, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { CheckField } from '../../ui/form/fields/checkFields';
import { Select } from '../../ui/form/fields/SelectField';
import { hostPoliciesMessages } from './host-policies.messages';
import { type RuleState, ruleStates } from './policyForm';

const { stateLabel } = hostPoliciesMessages;

interface RuleSectionProps {
  texts: { title: string; text?: string; states: Readonly<Record<RuleState, string>> };
  value: RuleState;
  onChange: (state: RuleState) => void;
  /** Whether the site belongs to a tenant, which may inherit the rule of its project. */
  canInherit: boolean;
  disabled: boolean;
  /** The fields of the rule. They are shown while the rule is on. */
  children: ReactNode;
}

/**
 * A rule with its state, and its fields while the rule is on. On a phone a checkbox stays beside the text, and a select
 * moves below it.
 */
export function RuleSection({ texts, value, onChange, canInherit, disabled, children }: RuleSectionProps) {
  const { title, text, states } = texts;
  return (
    <chakra.section py="4" borderTopWidth="1px" borderColor="border" aria-label={title}>
      <Flex wrap="wrap" align="center" justify="space-between" rowGap="2" columnGap="6">
        <chakra.div flex="1 1 180px">
          <chakra.h3 textStyle="md">{title}</chakra.h3>
          {text && <chakra.p color="fg.muted">{text}</chakra.p>}
        </chakra.div>
        <chakra.div width={canInherit ? '220px' : '84px'}>
          {canInherit ? (
            <Select
              aria-label={stateLabel(title)}
              value={value}
              disabled={disabled}
              options={ruleStates.map((state) => ({ value: state, label: states[state] }))}
              onChange={onChange}
            />
          ) : (
            <CheckField
              label={states.own}
              checked={value === 'own'}
              disabled={disabled}
              onChange={(isOwn) => onChange(isOwn ? 'own' : 'inherit')}
            />
          )}
        </chakra.div>
      </Flex>
      {value === 'own' && (
        <Grid maxW="640px" gap="4" mt="4">
          {children}
        </Grid>
      )}
    </chakra.section>
  );
}
