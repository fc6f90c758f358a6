import type { CheckedDomainStatusFragment } from '../../lib/graphql/generated/shared';
import { getDomainStage } from './domainStage';
import { domainStatusMessages as messages } from './domainStatus.messages';

/** Explains the stage of a domain, and what to do about it. */
export function describeStage(status: CheckedDomainStatusFragment): string {
  const { dns, expected, checkedAt } = status;
  const { stage, daysLeft } = getDomainStage(status);
  if (stage === 'dnsUnknown' && !checkedAt) return messages.notYet;
  if ((stage === 'dnsPending' || stage === 'dnsUnknown') && expected.length === 0) return messages.noServerIp;
  if (stage === 'dnsPending') return dns === 'wrong' ? messages.wrong : messages.missing;
  return stage === 'failed' && daysLeft < 0 ? messages.expired : messages[stage];
}
