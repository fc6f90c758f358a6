import type { ReactNode } from 'react';
import { CheckField } from '../../ui/form/checkFields';
import { SelectField } from '../../ui/form/SelectField';
import { hostRulesMessages } from './host-rules.messages';
import styles from './host-rules.module.css';
import { type RuleState, ruleStates } from './ruleForm';

const { states, stateOf } = hostRulesMessages;

interface RuleSectionProps {
  title: string;
  text?: string;
  state: RuleState;
  onState: (state: RuleState) => void;
  /** The site is a tenant's, whose project has rules as well. */
  canInherit: boolean;
  disabled: boolean;
  /** The fields of the rule, shown while it is on. */
  children: ReactNode;
}

/** One rule: whether it is on, and its fields. */
export function RuleSection({ title, text, state, onState, canInherit, disabled, children }: RuleSectionProps) {
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
            value={state}
            disabled={disabled}
            options={ruleStates.map((value) => ({ value, label: states[value] }))}
            onChange={(value) => {
              const next = ruleStates.find((each) => each === value);
              if (next) onState(next);
            }}
          />
        ) : (
          <CheckField
            label={states.own}
            checked={state === 'own'}
            disabled={disabled}
            onChange={(on) => onState(on ? 'own' : 'inherit')}
          />
        )}
      </div>
      {state === 'own' && <div className={styles.fields}>{children}</div>}
    </section>
  );
}
