import type { ReactNode } from 'react';
import { CheckField } from '../../ui/form/checkFields';
import { SelectField } from '../../ui/form/SelectField';
import { hostRulesMessages } from './host-rules.messages';
import styles from './host-rules.module.css';
import { type RuleState, ruleStates } from './ruleForm';

const { states, stateOf } = hostRulesMessages;
const STATE_OPTIONS = ruleStates.map((value) => ({ value, label: states[value] }));

interface RuleSectionProps {
  title: string;
  text?: string;
  value: RuleState;
  onChange: (state: RuleState) => void;
  /** The site is a tenant's, whose project has rules as well. */
  canInherit: boolean;
  disabled: boolean;
  /** The fields of the rule, shown while it is on. */
  children: ReactNode;
}

/** One rule: whether it is on, and its fields. */
export function RuleSection({ title, text, value, onChange, canInherit, disabled, children }: RuleSectionProps) {
  return (
    <section className={styles.rule} aria-label={title}>
      <div className={styles.ruleHead}>
        <div>
          <h3>{title}</h3>
          {text && <p className={styles.text}>{text}</p>}
        </div>
        {canInherit ? (
          <SelectField
            label={stateOf(title)}
            value={value}
            disabled={disabled}
            options={STATE_OPTIONS}
            onChange={onChange}
          />
        ) : (
          <CheckField
            label={states.own}
            checked={value === 'own'}
            disabled={disabled}
            onChange={(on) => onChange(on ? 'own' : 'inherit')}
          />
        )}
      </div>
      {value === 'own' && <div className={styles.fields}>{children}</div>}
    </section>
  );
}
