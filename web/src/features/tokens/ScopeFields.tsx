import { CheckGroup } from '../../ui/form/checkFields';
import { SelectField } from '../../ui/form/SelectField';
import { type Level, RESOURCES } from './scopes';
import { tokensMessages } from './tokens.messages';
import styles from './tokens.module.css';

const { form: messages, resources } = tokensMessages;

interface ScopeFieldsProps {
  levels: Record<string, Level>;
  error?: string;
  onChange: (levels: Record<string, Level>) => void;
}

/** The scopes of a token: one level for each resource. */
export function ScopeFields({ levels, error, onChange }: ScopeFieldsProps) {
  return (
    <CheckGroup label={messages.scopes} error={error} required>
      <div className={styles.scopes}>
        {RESOURCES.map(({ id, levels: offered }) => (
          <SelectField
            key={id}
            label={resources[id]}
            value={levels[id] ?? 'none'}
            options={offered.map((level) => ({ value: level, label: messages.levels[level] }))}
            onChange={(value) => onChange({ ...levels, [id]: offered.find((level) => level === value) ?? 'none' })}
          />
        ))}
      </div>
    </CheckGroup>
  );
}
