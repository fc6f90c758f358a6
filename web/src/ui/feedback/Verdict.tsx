import { chakra, Flex } from '@chakra-ui/react';
import { Check, CircleCheck, CircleX, HelpCircle, Minus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyableText } from '../cells/CopyableText';

const STATE_MARKS = {
  passed: { Icon: Check, color: 'green.fg' },
  failed: { Icon: X, color: 'red.fg' },
  refused: { Icon: X, color: 'red.fg' },
  unknown: { Icon: HelpCircle, color: 'fg.muted' },
  off: { Icon: Minus, color: 'fg.muted' },
};

interface VerdictProps {
  label: string;
  isAllowed: boolean;
  title: string;
  text?: string | null;
  steps: readonly { name: string; state: keyof typeof STATE_MARKS; stateText: string; detail: ReactNode }[];
  /** Shown below the steps; facts without values are left out. With `copyLabel`, a button copies each value. */
  facts: readonly { label: string; values: readonly string[]; copyLabel?: string }[];
}

/** The response that a tested request would get, and the steps that led to it. */
export function Verdict({ label, isAllowed, title, text, steps, facts }: VerdictProps) {
  const Icon = isAllowed ? CircleCheck : CircleX;
  const palette = isAllowed ? 'green' : 'red';
  return (
    <chakra.section layerStyle="panel" overflow="hidden" overflowWrap="anywhere" aria-label={label}>
      <Flex as="p" align="center" gap="3" py="3" px="4" bg={`${palette}.subtle`} color={`${palette}.fg`}>
        <chakra.span flex="none">
          <Icon aria-hidden size={20} />
        </chakra.span>
        <span>
          <strong>{title}</strong>
          {text && (
            <chakra.small display="block" overflowWrap="anywhere" color="inherit">
              {text}
            </chakra.small>
          )}
        </span>
      </Flex>
      <chakra.ol py="2">
        {steps.map(({ name, state, stateText, detail }) => {
          const mark = STATE_MARKS[state];
          return (
            <Flex as="li" key={name} gap="3" py="1.5" px="4">
              <chakra.span p="0.5" color={mark.color}>
                <mark.Icon aria-label={stateText} size={16} />
              </chakra.span>
              <span>
                <strong>{name}</strong>
                <chakra.small display="block">{detail}</chakra.small>
              </span>
            </Flex>
          );
        })}
      </chakra.ol>
      <dl>
        {facts.map(
          (fact) =>
            fact.values.length > 0 && (
              <chakra.div key={fact.label} py="2" px="4" borderTopWidth="1px" borderColor="border">
                <chakra.dt textStyle="xs" color="fg.muted">
                  {fact.label}
                </chakra.dt>
                {fact.values.map((value) => (
                  <dd key={value}>{fact.copyLabel ? <CopyableText text={value} label={fact.copyLabel} /> : value}</dd>
                ))}
              </chakra.div>
            ),
        )}
      </dl>
    </chakra.section>
  );
}
