import { chakra, Flex, Grid, type HTMLChakraProps } from '@chakra-ui/react';
import { useState } from 'react';
import { localStore } from '../../lib/browser/safeStorage';
import { POLL_INTERVAL_MS } from '../../lib/graphql/query/polling';
import { useAccess } from '../../lib/session/access';
import { FirstSteps, type FirstStepsProps, listFirstSteps, type Step } from './FirstSteps';
import { useOverviewQuery } from './generated/overview';
import { type Issue, listIssues } from './issues';
import { OverviewLink } from './OverviewLink';
import { overviewMessages as messages } from './overview.messages';

/**
 * Title, issues and progress of the first steps are in one line. On a phone the issues are below the title. Their
 * height is reserved before they have loaded.
 */
const summaryStyle: HTMLChakraProps<'summary'> = {
  display: 'flex',
  flexWrap: { base: 'wrap', md: 'nowrap' },
  alignItems: 'center',
  rowGap: { base: '0.5', md: '1' },
  columnGap: { base: '2.5', md: '3' },
  minHeight: { base: '64px', md: '48px' },
  py: '2',
  px: { base: '4', md: '6' },
  borderRadius: 'md',
};

/** A choice of the user, kept in local storage as `value` under `key`. */
function useStoredChoice(key: string, value: string) {
  const [isChosen, setChosen] = useState(() => localStore.get(key) === value);
  const choose = (next: boolean) => {
    setChosen(next);
    localStore.set(key, next ? value : '');
  };
  return [isChosen, choose] as const;
}

const IssueList = ({ issues }: { issues: readonly Issue[] }) => (
  <chakra.ul pt="1" pb="3" ps={{ base: '4', md: '11' }} pe={{ base: '4', md: '6' }}>
    {issues.map(({ text, links, moreLink }) => (
      <Grid
        as="li"
        key={text}
        templateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 240px) minmax(0, 1fr)' }}
        alignItems="baseline"
        rowGap="0.5"
        columnGap="4"
        py="1.5"
        borderTopWidth="1px"
        borderColor="border"
        _first={{ borderTopWidth: '0' }}
      >
        <span>{text}</span>
        <Flex as="span" wrap="wrap" rowGap="0.5" columnGap="4">
          {[...links, ...(moreLink ? [moreLink] : [])].map(({ to, label, state }) => (
            <OverviewLink key={`${to} ${label}`} to={to} state={state}>
              {label}
            </OverviewLink>
          ))}
        </Flex>
      </Grid>
    ))}
  </chakra.ul>
);

interface SummaryProps {
  /** Undefined until the issues are loaded. */
  issues: readonly Issue[] | undefined;
  steps: readonly Step[];
  /** Indents the issues on a phone by the width of the chevron before the title. */
  hasChevron?: boolean;
}

/** The issues in one line, and how many of the first steps are done. */
const Summary = ({ issues, steps, hasChevron }: SummaryProps) => (
  <>
    <chakra.strong flex="none" me={{ base: 'auto', md: '0' }} fontWeight="semibold">
      {messages.title}
    </chakra.strong>
    <chakra.span
      order={{ base: '1', md: '0' }}
      width={{ base: '100%', md: 'auto' }}
      minH={{ base: '20px', md: 'auto' }}
      ps={{ base: hasChevron ? '18px' : '0', md: '0' }}
      color={issues?.length ? 'orange.fg' : 'fg.muted'}
    >
      {issues?.length === 0 ? messages.inOrder : issues?.map(({ text }) => text).join(' · ')}
    </chakra.span>
    {steps.length > 0 && (
      <chakra.span flex="none" ms="auto" color="fg.muted">
        {messages.start.progress(steps.filter(({ isDone }) => isDone).length, steps.length)}
      </chakra.span>
    )}
  </>
);

interface IssuesAndStepsProps extends SummaryProps, Pick<FirstStepsProps, 'onCreateSubdomain'> {
  onDismissSteps: () => void;
}

/** The summary, which expands to the issues and the first steps. The browser remembers whether it is expanded. */
function IssuesAndSteps({ issues, steps, onCreateSubdomain, onDismissSteps }: IssuesAndStepsProps) {
  const [isOpen, setOpen] = useStoredChoice('overview', 'open');
  return (
    <chakra.details
      layerStyle="panel"
      mb="4"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <chakra.summary {...summaryStyle} _hover={{ bg: 'bg.subtle' }} data-chevron>
        <Summary issues={issues} steps={steps} hasChevron />
      </chakra.summary>
      {isOpen && issues && issues.length > 0 && <IssueList issues={issues} />}
      {isOpen && steps.length > 0 && (
        <FirstSteps
          steps={steps}
          onCreateSubdomain={onCreateSubdomain}
          onDismiss={onDismissSteps}
          m="0"
          borderWidth="1px 0 0"
          borderTopRadius="0"
        />
      )}
    </chakra.details>
  );
}

/**
 * The issues and the first steps. Without subdomains and tenants, only the first steps are shown, if any. The route of
 * the screen has sent the query already (`prefetchQuery`).
 */
export function Overview({ onCreateSubdomain }: Pick<FirstStepsProps, 'onCreateSubdomain'>) {
  const { canWrite, isAdministrator } = useAccess();
  const query = useOverviewQuery({ fetchPolicy: 'cache-first', pollInterval: POLL_INTERVAL_MS });
  const data = query.data ?? query.previousData;
  const [areStepsDismissed, dismissSteps] = useStoredChoice('first-steps', 'dismissed');
  const steps = data && canWrite && !areStepsDismissed ? listFirstSteps(data.overview, isAdministrator) : [];
  const issues = data && listIssues(data);
  const isUnused = data?.overview.subdomains === 0 && data.overview.tenants === 0;
  if (isUnused && steps.length > 0) return <FirstSteps steps={steps} onCreateSubdomain={onCreateSubdomain} />;
  if (issues?.length === 0 && steps.length === 0) {
    return (
      <chakra.section layerStyle="panel" mb="4" aria-label={messages.title}>
        <chakra.div {...summaryStyle}>
          <Summary issues={issues} steps={steps} />
        </chakra.div>
      </chakra.section>
    );
  }
  return (
    <IssuesAndSteps
      issues={issues}
      steps={steps}
      onCreateSubdomain={onCreateSubdomain}
      onDismissSteps={() => dismissSteps(true)}
    />
  );
}
