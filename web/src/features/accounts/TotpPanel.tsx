import { useState } from 'react';
import { notifyFailure } from '../../lib/notification';
import { Button } from '../../ui/form/Button';
import { useSubmit } from '../../ui/form/useSubmit';
import { Panel } from '../../ui/layout/Page';
import { accountsMessages } from './accounts.messages';
import styles from './accounts.module.css';
import { EndTotpDialog } from './EndTotpDialog';
import { type BeginTotpMutation, useBeginTotpMutation } from './generated/accounts';
import { TotpSetupDialog } from './TotpSetupDialog';

const { totp: messages, failure } = accountsMessages;

/** Switches the own second factor on or off. Its secret is kept out of address, cache and storage. */
export function TotpPanel({ isOn }: { isOn: boolean }) {
  const [begin] = useBeginTotpMutation({ fetchPolicy: 'no-cache' });
  const [setup, setSetup] = useState<BeginTotpMutation['beginTotp'] | null>(null);
  const [isEnding, setEnding] = useState(false);
  const beginning = useSubmit({
    fallback: failure.totp,
    onFailure: notifyFailure,
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
