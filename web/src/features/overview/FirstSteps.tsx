import { Button, chakra, Flex, Grid, type HTMLChakraProps } from '@chakra-ui/react';
import { paths, withParams } from '../../lib/routing/paths';
import { StepNumber } from '../../ui/layout/StepNumber';
import type { OverviewQuery } from './generated/overview';
import { OverviewButton, OverviewLink } from './OverviewLink';
import { overviewMessages } from './overview.messages';

const messages = overviewMessages.start;

export interface Step {
  text: string;
  isDone: boolean;
  /** Path of the step; null for the form on the same page. */
  to: string | null;
}

/**
 * The first steps in an empty installation, or no steps once all are done. The settings of Telegram are open to
 * administrators only.
 */
export function listFirstSteps(overview: OverviewQuery['overview'], isAdministrator: boolean): Step[] {
  const steps: Step[] = [
    { text: messages.subdomain, isDone: overview.subdomains > 0, to: null },
    { text: messages.project, isDone: overview.projects > 0, to: withParams(paths.projects, { novo: '1' }) },
    { text: messages.tenant, isDone: overview.tenants > 0, to: withParams(paths.tenants, { novo: '1' }) },
  ];
  if (isAdministrator) steps.push({ text: messages.telegram, isDone: overview.telegram, to: paths.settings });
  return steps.every(({ isDone }) => isDone) ? [] : steps;
}

export interface FirstStepsProps extends HTMLChakraProps<'section'> {
  steps: readonly Step[];
  /** Called for the step whose form is on the same page. */
  onCreateSubdomain: () => void;
  onDismiss?: () => void;
}

/** The steps with their links. Completed steps are ticked off. */
export function FirstSteps({ steps, onCreateSubdomain, onDismiss, ...rest }: FirstStepsProps) {
  return (
    <chakra.section
      layerStyle="panel"
      mb="4"
      py="4"
      px={{ base: '4', md: '6' }}
      aria-labelledby="first-steps"
      {...rest}
    >
      <Flex align="center" justify="space-between" me="-3">
        <chakra.h2 id="first-steps" textStyle="md">
          {messages.title}
        </chakra.h2>
        {onDismiss && (
          <Button variant="ghost" size="sm" onClick={onDismiss}>
            {messages.dismiss}
          </Button>
        )}
      </Flex>
      <chakra.p maxW="80ch" mt="1" color="fg.muted">
        {messages.explanation}
      </chakra.p>
      <Grid as="ol" templateColumns={{ lg: 'repeat(4, auto)' }} justifyContent={{ lg: 'space-between' }} gap="2" mt="3">
        {steps.map(({ text, isDone, to }, index) => (
          <Flex as="li" key={text} align="center" gap="2.5">
            <StepNumber number={index + 1} isDone={isDone} />
            {isDone && text}
            {!isDone && to === null && (
              <OverviewButton type="button" onClick={onCreateSubdomain}>
                {text}
              </OverviewButton>
            )}
            {!isDone && to !== null && <OverviewLink to={to}>{text}</OverviewLink>}
            {isDone && <small>{messages.done}</small>}
          </Flex>
        ))}
      </Grid>
    </chakra.section>
  );
}
