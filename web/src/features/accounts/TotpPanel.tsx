import { Button } from '@chakra-ui/react';
import { useState } from 'react';
import { notifyError } from '../../lib/notification';
import { lazyDialog } from '../../ui/dialog/lazyDialog';
import { useSubmit } from '../../ui/form/useSubmit';
import { Panel } from '../../ui/layout/Page';
import { accountsMessages } from './accounts.messages';
import styles from './accounts.module.css';
import { EndTotpDialog } from './EndTotpDialog';
import { type BeginTotpMutation, useBeginTotpMutation } from './generated/accounts';

const { totp: messages, failure } = accountsMessages;
/** With the code that draws QR codes. */
const TotpSetupDialog = lazyDialog(() => import('./TotpSetupDialog'));

/** Switches the own second factor on or off. Its secret is kept out of address, cache and storage. */
export function TotpPanel({ isOn }: { isOn: boolean }) {
  const [begin] = useBeginTotpMutation({ fetchPolicy: 'no-cache' });
  const [setup, setSetup] = useState<BeginTotpMutation['beginTotp'] | null>(null);
  const [isEnding, setEnding] = useState(false);
  const beginning = useSubmit({
    fallback: failure.totp,
    onFailure: notifyError,
    send: async () => setSetup((await begin()).data?.beginTotp ?? null),
  });
  return (
    <Panel title={messages.title} text={isOn ? messages.on : messages.off}>
      <div className={styles.act}>
        {isOn ? (
          <Button variant="outline" onClick={() => setEnding(true)}>
            {messages.end}
          </Button>
        ) : (
          <Button variant="outline" onClick={beginning.submit} aria-busy={beginning.pending || undefined}>
            {messages.begin}
          </Button>
        )}
      </div>
      {setup && <TotpSetupDialog {...setup} onClose={() => setSetup(null)} />}
      {isEnding && <EndTotpDialog onClose={() => setEnding(false)} />}
    </Panel>
  );
}
