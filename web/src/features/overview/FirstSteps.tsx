import { Button, chakra, Flex, Grid } from '@chakra-ui/react';
import { Link } from 'react-router';
import { paths, withParams } from '../../app/paths';
import { StepNumber } from '../../ui/layout/StepNumber';
import type { OverviewQuery } from './generated/overview';
import { linkCss } from './linkCss';
import { overviewMessages } from './overview.messages';

const messages = overviewMessages.start;

const stepsCss = {
  '& > li': { display: 'flex', alignItems: 'center', gap: '2.5' },
  '& :is(a, button)': linkCss,
};

export interface Step {
  text: string;
  done: boolean;
  /** Path of the step; null for the form on the same page. */
  to: string | null;
}

/**
 * The first steps in an empty installation, or no steps once all are done. The settings of Telegram are open to
 * administrators only.
 */
export function listFirstSteps(overview: OverviewQuery['overview'], isAdministrator: boolean): Step[] {
  const steps: Step[] = [
    { text: messages.subdomain, done: overview.subdomains > 0, to: null },
    { text: messages.project, done: overview.projects > 0, to: withParams(paths.projects, { novo: '1' }) },
    { text: messages.tenant, done: overview.tenants > 0, to: withParams(paths.tenants, { novo: '1' }) },
  ];
  if (isAdministrator) steps.push({ text: messages.telegram, done: overview.telegram, to: paths.settings });
  return steps.every(({ done }) => done) ? [] : steps;
}

export interface FirstStepsProps {
  steps: readonly Step[];
  /** Called for the step whose form is on the same page. */
  onCreateSubdomain: () => void;
  onDismiss?: () => void;
}

/** The steps with their links. Completed steps are ticked off. */
export function FirstSteps({ steps, onCreateSubdomain, onDismiss }: FirstStepsProps) {
  return (
    <chakra.section layerStyle="panel" mb="4" py="4" px={{ base: '4', md: '6' }} aria-labelledby="first-steps">
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
        {messages.words}
      </chakra.p>
      <Grid
        as="ol"
        templateColumns={{ lg: 'repeat(4, auto)' }}
        justifyContent={{ lg: 'space-between' }}
        gap="2"
        mt="3"
        css={stepsCss}
      >
        {steps.map(({ text, done, to }, index) => (
          <li key={text}>
            <StepNumber number={index + 1} isDone={done} />
            {done && text}
            {!done && to === null && (
              <button type="button" onClick={onCreateSubdomain}>
                {text}
              </button>
            )}
            {!done && to !== null && <Link to={to}>{text}</Link>}
            {done && <small>{messages.done}</small>}
          </li>
        ))}
      </Grid>
    </chakra.section>
  );
}
