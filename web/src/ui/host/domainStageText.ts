import type { CheckedDomainStatusFragment } from '../../lib/graphql/generated/shared';
import { domainStage } from './domainStage';
import { domainStatusMessages as messages } from './domainStatus.messages';

/** Explains the stage and what to do about it. */
export function stageText(status: CheckedDomainStatusFragment): string {
  const { dns, expected, checkedAt } = status;
  const { stage, daysLeft } = domainStage(status);
  if (stage === 'dnsPending') {
    if (expected.length === 0) return messages.noServerIp;
    if (!checkedAt) return messages.notYet;
    return dns === 'unknown' ? messages.dnsUnknown : dns === 'wrong' ? messages.wrong : messages.missing;
  }
  return stage === 'failed' && daysLeft < 0 ? messages.expired : messages[stage];
}
