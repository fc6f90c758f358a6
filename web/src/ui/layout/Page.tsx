import { Card, chakra, Flex, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useAccess } from '../../lib/session/access';
import { Chip } from '../cells/Chip';
import { uiMessages } from '../ui.messages';

/** On a phone three actions share one line. */
const actionsCss = { '& > button': { mdDown: { paddingInline: '3' } } };

/**
 * A screen: its one h1 and its main action, above the content. Viewers see no action. A chip tells them that they can
 * only read, unless `allowViewers` is set.
 */
export function Page({
  title,
  subtitle,
  back,
  action,
  allowViewers,
  children,
}: {
  title: string;
  subtitle?: string;
  /** A link to the list that contains the entity. */
  back?: ReactNode;
  action?: ReactNode;
  allowViewers?: boolean;
  children: ReactNode;
}) {
  const { canWrite } = useAccess();
  return (
    <>
      <Flex as="header" wrap="wrap" align="end" justify="space-between" rowGap="3" columnGap="6" mb="4">
        <div>
          {back && <nav>{back}</nav>}
          <chakra.h1
            fontSize={{ base: '24px', md: '28px' }}
            lineHeight={{ base: '30px', md: '34px' }}
            overflowWrap="anywhere"
            _focus={{ outline: '0' }}
          >
            {title}
          </chakra.h1>
          {!canWrite && !allowViewers && <Chip>{uiMessages.readOnly}</Chip>}
          {subtitle && (
            <chakra.p mt="1" color="fg.muted" overflowWrap="anywhere">
              {subtitle}
            </chakra.p>
          )}
        </div>
        {canWrite && action && (
          <Flex wrap="wrap" gap="2" css={actionsCss}>
            {action}
          </Flex>
        )}
      </Flex>
      {children}
    </>
  );
}

interface PanelProps {
  title?: ReactNode;
  text?: ReactNode;
  /** Whether padding and heading are smaller, for one line of controls. */
  isCompact?: boolean;
  children: ReactNode;
}

/** A part of a screen on a card. */
export function Panel({ title, text, isCompact, children }: PanelProps) {
  return (
    <Card.Root asChild size={isCompact ? 'sm' : undefined}>
      <section>
        {title && <Card.Title as="h2">{title}</Card.Title>}
        {text && <Card.Description as="p">{text}</Card.Description>}
        {children}
      </section>
    </Card.Root>
  );
}

/**
 * A grid of panels. On a wide screen the first panel takes two thirds of the width, and the other panels form a column
 * beside it.
 */
export const PanelGrid = ({ children }: { children: ReactNode }) => (
  <Grid
    templateColumns={{ lg: 'minmax(0, 2fr) minmax(0, 1fr)' }}
    // The second panel is as high as its content, the third panel takes the rest.
    templateRows={{ lg: 'auto 1fr' }}
    alignItems={{ lg: 'start' }}
    gap="4"
    css={{ '& > *': { minWidth: '0', marginTop: '0' }, '& > :first-child': { gridRow: { lg: 'span 2' } } }}
  >
    {children}
  </Grid>
);

/**
 * The h2 of a part of a screen without a card, the main action of that part, and a sentence about it. On a phone the
 * sentence stands above the action.
 */
export const SectionHeading = ({ title, action, text }: { title: string; action?: ReactNode; text?: string }) => (
  <Flex
    wrap="wrap"
    align="center"
    justify="space-between"
    rowGap="2"
    columnGap="4"
    mt="10"
    mb={text ? '4' : '3'}
    css={{ '&:has(+ p)': { marginBottom: '2' }, '&:first-child': { marginTop: '0' } }}
  >
    <chakra.h2 textStyle="lg">{title}</chakra.h2>
    {text && (
      <chakra.p order={{ md: '1' }} flexBasis="100%" mb={{ mdDown: '1' }} color="fg.muted">
        {text}
      </chakra.p>
    )}
    {action}
  </Flex>
);
