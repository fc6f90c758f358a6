import { Button, chakra, Flex } from '@chakra-ui/react';
import { useQueryState } from '../../../lib/graphql/query/useQueryState';
import { notify, notifyFailure } from '../../../lib/notifications/notification';
import { DateTime } from '../../../ui/cells/RelativeTime';
import { LoadFailed } from '../../../ui/feedback/QueryState';
import { SectionHeading } from '../../../ui/layout/Page';
import { WritersOnly } from '../../../ui/layout/WritersOnly';
import { alertsMessages as messages } from '../alerts.messages';
import { MutesDocument, useMutesQuery, useUnmuteMutation } from '../generated/alerts';

/** The mutes in force, each with a button that ends it. */
export function Mutes() {
  const { data, state } = useQueryState(useMutesQuery(), { failureMessage: messages.mutes.failure.load });
  const [unmute] = useUnmuteMutation({ refetchQueries: [MutesDocument], awaitRefetchQueries: true });
  const mutes = data?.mutes ?? [];
  if (mutes.length === 0 && !state.failure) return null;
  const end = async (id: string) => {
    await unmute({ variables: { id } });
    notify(messages.mutes.ended);
  };
  return (
    <chakra.section mt="8">
      <SectionHeading title={messages.mutes.title} />
      <LoadFailed {...state} />
      <ul>
        {mutes.map(({ _id, kind, subject, subjectName, until, reason }) => (
          <Flex as="li" key={_id} wrap="wrap" align="center" justify="space-between" rowGap="1" columnGap="4" py="1">
            <span>
              {messages.mutes.text(
                messages.subjects[subject.type],
                subjectName ?? null,
                kind ? messages.kinds[kind] : null,
              )}
              , {reason} ({messages.list.until} <DateTime at={until} />)
            </span>
            <WritersOnly>
              <Button
                variant="ghost"
                size="sm"
                layerStyle="touchTarget"
                onClick={() => void end(_id).catch(notifyFailure(messages.mutes.failure.end))}
              >
                {messages.mutes.end}
              </Button>
            </WritersOnly>
          </Flex>
        ))}
      </ul>
    </chakra.section>
  );
}
