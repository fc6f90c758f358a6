import { Button } from '@chakra-ui/react';
import { useState } from 'react';
import { useQueryState } from '../../../lib/graphql/query/useQueryState';
import { lazyDialog } from '../../../ui/dialog/lazyDialog';
import { QueryState } from '../../../ui/feedback/QueryState';
import { SubmitButton } from '../../../ui/form/Form';
import { useAction } from '../../../ui/form/useAction';
import { Panel } from '../../../ui/layout/Page';
import { accountsMessages } from '../accounts.messages';
import { type BeginTotpMutation, useBeginTotpMutation, useOwnAccountQuery } from '../generated/accounts';
import { EndTotpDialog } from './EndTotpDialog';

const { totp: messages, failure } = accountsMessages;
/** Loaded on demand, because it contains the code that draws QR codes. */
const TotpSetupDialog = lazyDialog(() => import('./TotpSetupDialog'));

/** Switches the second factor of the logged-in account on or off. The secret is in no URL, cache or storage. */
export function TotpPanel() {
  const { data, state } = useQueryState(useOwnAccountQuery(), { failureMessage: failure.load });
  const [begin] = useBeginTotpMutation({ fetchPolicy: 'no-cache' });
  const [setup, setSetup] = useState<BeginTotpMutation['beginTotp'] | null>(null);
  const [isEnding, setEnding] = useState(false);
  const beginning = useAction({
    failureMessage: failure.totp,
    send: async () => setSetup((await begin()).data?.beginTotp ?? null),
  });
  return (
    <Panel title={messages.title} text={data && (data.me.totp ? messages.on : messages.off)}>
      <QueryState {...state} skeleton="text">
        {data?.me.totp ? (
          <Button data-final-focus mt="4" variant="outline" onClick={() => setEnding(true)}>
            {messages.end}
          </Button>
        ) : (
          <SubmitButton mt="4" variant="outline" action={beginning}>
            {messages.begin}
          </SubmitButton>
        )}
      </QueryState>
      {setup && <TotpSetupDialog {...setup} onClose={() => setSetup(null)} />}
      {isEnding && <EndTotpDialog onClose={() => setEnding(false)} />}
    </Panel>
  );
}
