import { Button, chakra, Flex, Grid } from '@chakra-ui/react';
import { Link } from 'react-router';
import type { Severity, SubjectType } from '../../generated/graph';
import { toSubdomainPath, toTenantPath } from '../../lib/routing/paths';
import { Chip, type ChipColor } from '../../ui/cells/Chip';
import rowStyles from '../../ui/cells/cells.module.css';
import { DateTime, RelativeTime } from '../../ui/cells/RelativeTime';
import { WritersOnly } from '../../ui/layout/WritersOnly';
import { alertsMessages as messages } from './alerts.messages';
import type { AlertRowFragment } from './generated/alerts';

const COLORS: Record<Severity, ChipColor> = { critical: 'red', warning: 'orange', info: 'blue' };
const BORDER_COLORS: Record<Severity, string> = { critical: 'red.fg', warning: 'orange.fg', info: 'transparent' };
const PATH_CREATORS: Partial<Record<SubjectType, typeof toTenantPath>> = {
  subdomain: toSubdomainPath,
  tenant: toTenantPath,
};
const Paragraph = chakra('p', { base: { maxW: '72ch', mt: '1', overflowWrap: 'anywhere' } });

interface AlertItemProps {
  alert: AlertRowFragment;
  isMuted: boolean;
  onOpenDialog: (dialog: 'assumir' | 'silenciar') => void;
}

/** An alert with the buttons that acknowledge and mute it. */
export function AlertItem({ alert, isMuted, onOpenDialog }: AlertItemProps) {
  const { severity, subject, reason, since, resolvedAt, acknowledgedBy, note, machine, flapping } = alert;
  return (
    <Grid
      as="li"
      templateColumns={{ md: 'minmax(0, 1fr) auto' }}
      gap="3"
      p="4"
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0' }}
      borderInlineStart="3px solid"
      borderColor="border"
      borderInlineStartColor={alert.state === 'open' ? BORDER_COLORS[severity] : 'transparent'}
    >
      <div>
        <Flex as="h4" wrap="wrap" align="center" rowGap="1" columnGap="2" fontWeight="medium" overflowWrap="anywhere">
          <SubjectName subject={subject} />
          <Chip color={COLORS[severity]}>{messages.severities[severity]}</Chip>
          {flapping && <Chip color="orange">{messages.list.flapping}</Chip>}
          {isMuted && <Chip>{messages.list.muted}</Chip>}
        </Flex>
        <Paragraph>{reason}</Paragraph>
        <Paragraph textStyle="xs" color="fg.muted">
          {resolvedAt ? (
            <>
              {messages.list.from} <DateTime at={since} /> {messages.list.until} <DateTime at={resolvedAt} />
            </>
          ) : (
            <>
              {messages.list.since} <RelativeTime at={since} />
            </>
          )}
          {'. '}
          {machine && messages.list.machine(machine)} <DeliverySummary alert={alert} />
        </Paragraph>
        {acknowledgedBy && (
          <Paragraph textStyle="xs" color="fg.muted">
            {messages.list.acknowledged(acknowledgedBy, note ?? null)}
          </Paragraph>
        )}
      </div>
      {alert.state === 'open' && (
        <WritersOnly>
          <Flex wrap="wrap" align="start" gap="1">
            {!acknowledgedBy && (
              <Button variant="outline" size="sm" layerStyle="touchTarget" onClick={() => onOpenDialog('assumir')}>
                {messages.list.acknowledge}
              </Button>
            )}
            <Button
              variant={acknowledgedBy ? 'outline' : 'ghost'}
              size="sm"
              layerStyle="touchTarget"
              onClick={() => onOpenDialog('silenciar')}
            >
              {messages.list.mute}
            </Button>
          </Flex>
        </WritersOnly>
      )}
    </Grid>
  );
}

/** The name of an alert's subject, as a link if the subject has a page. */
function SubjectName({ subject: { type, id, name } }: Pick<AlertRowFragment, 'subject'>) {
  const path = PATH_CREATORS[type]?.(id);
  return path ? (
    <Link className={rowStyles.name} to={path}>
      {name}
    </Link>
  ) : (
    name
  );
}

/** Says which channels received an alert, and which channels could not be reached. */
function DeliverySummary({ alert: { deliveries } }: { alert: AlertRowFragment }) {
  const listChannels = (group: typeof deliveries) => [...new Set(group.map(({ channel }) => channel))];
  const reached = listChannels(deliveries.filter(({ state }) => state === 'sent'));
  const unreached = listChannels(
    deliveries.filter(({ channel, lastError }) => lastError && !reached.includes(channel)),
  );
  return (
    <>
      {reached.length > 0 ? messages.list.notifiedChannels(reached.join(', ')) : messages.list.noneNotified}
      {unreached.length > 0 && ` ${messages.list.failed(unreached.join(', '))}`}
    </>
  );
}
