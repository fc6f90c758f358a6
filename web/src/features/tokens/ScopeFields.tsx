import { Grid } from '@chakra-ui/react';
import { CheckGroup } from '../../ui/form/fields/checkFields';
import { SelectField } from '../../ui/form/fields/SelectField';
import { type Level, RESOURCES } from './scopes';
import { tokensMessages } from './tokens.messages';

const { form: messages, resources } = tokensMessages;

interface ScopeFieldsProps {
  value: Record<string, Level>;
  error?: string;
  onChange: (levels: Record<string, Level>) => void;
}

/** The scopes of a token: one level for each resource. */
export function ScopeFields({ value: levels, error, onChange }: ScopeFieldsProps) {
  return (
    <CheckGroup label={messages.scopes} error={error} required>
      <Grid templateColumns="repeat(auto-fill, minmax(min(16rem, 100%), 1fr))" gap="3">
        {RESOURCES.map(({ id, levels: offeredLevels }) => (
          <SelectField
            key={id}
            label={resources[id]}
            value={levels[id] ?? 'none'}
            options={offeredLevels.map((level) => ({ value: level, label: messages.levels[level] }))}
            onChange={(level) => onChange({ ...levels, [id]: level })}
          />
        ))}
      </Grid>
    </CheckGroup>
  );
}
