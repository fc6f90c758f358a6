import type { CheckedDomainStatusFragment } from '../../lib/graphql/generated/shared';
import { getDomainStage } from './domainStage';
import { domainStatusMessages as messages } from './domainStatus.messages';

/** Explains the stage of a domain, and what to do about it. */
export function describeStage(status: CheckedDomainStatusFragment): string {
  const { dns, expected, checkedAt } = status;
  const { stage, daysLeft } = getDomainStage(status);
  if (stage === 'dnsPending' && expected.length > 0) return dns === 'wrong' ? messages.wrong : messages.missing;
  if (stage === 'dnsUnknown' && !checkedAt) return messages.notYet;
  if (stage === 'dnsUnknown' && expected.length === 0) return messages.noServerIp;
  return stage === 'failed' && daysLeft < 0 ? messages.expired : messages[stage];
}
