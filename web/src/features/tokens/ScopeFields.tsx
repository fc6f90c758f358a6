import { CheckGroup } from '../../ui/form/checkFields';
import { SelectField } from '../../ui/form/SelectField';
import { type Level, RESOURCES } from './scopes';
import { tokensMessages } from './tokens.messages';
import styles from './tokens.module.css';

const { form: messages, resources } = tokensMessages;

interface ScopeFieldsProps {
  /** The level of each resource. */
  value: Record<string, Level>;
  error?: string;
  onChange: (levels: Record<string, Level>) => void;
}

/** The scopes of a token: one level for each resource. */
export function ScopeFields({ value: levels, error, onChange }: ScopeFieldsProps) {
  return (
    <CheckGroup label={messages.scopes} error={error} required>
      <div className={styles.scopes}>
        {RESOURCES.map(({ id, levels: offered }) => (
          <SelectField
            key={id}
            label={resources[id]}
            value={levels[id] ?? 'none'}
            options={offered.map((level) => ({ value: level, label: messages.levels[level] }))}
            onChange={(level) => onChange({ ...levels, [id]: level })}
          />
        ))}
      </div>
    </CheckGroup>
  );
}
