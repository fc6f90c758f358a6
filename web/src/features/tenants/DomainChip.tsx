import { Chip, type ChipColor } from '../../ui/list/Chip';
import { type DomainStage, domainStage } from './domainStage';
import type { DomainStatusRowFragment } from './generated/tenants';
import { tenantsMessages } from './tenants.messages';

const { domainStatus: messages } = tenantsMessages;

const COLORS: Record<DomainStage, ChipColor> = {
  failed: 'red',
  dnsPending: 'orange',
  expiring: 'orange',
  dnsOk: 'blue',
  issuing: 'blue',
  active: 'green',
};

/** The stage of a domain or of its `www`, as a chip. */
export function DomainChip({ status }: { status: DomainStatusRowFragment }) {
  const { stage, daysLeft } = domainStage(status);
  return (
    <Chip color={COLORS[stage]}>{stage === 'expiring' ? messages.expiresIn(daysLeft) : messages.stages[stage]}</Chip>
  );
}
