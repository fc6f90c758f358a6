import { Chip, type ChipColor } from '../../ui/cells/Chip';
import { type DomainStage, type DomainStatus, getDomainStage } from './domainStage';
import { domainStatusMessages as messages } from './domainStatus.messages';

const COLORS: Record<DomainStage, ChipColor> = {
  failed: 'red',
  dnsPending: 'orange',
  expiring: 'orange',
  dnsUnknown: 'neutral',
  dnsOk: 'blue',
  issuing: 'blue',
  active: 'green',
};

/** The stage of a domain or of its `www`, as a chip. */
export function DomainChip({ status }: { status: DomainStatus }) {
  const { stage, daysLeft } = getDomainStage(status);
  return (
    <Chip color={COLORS[stage]}>{stage === 'expiring' ? messages.expiresIn(daysLeft) : messages.stages[stage]}</Chip>
  );
}
