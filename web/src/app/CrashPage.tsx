import { PageMessage } from '../ui/layout/PageMessage';
import { appMessages } from './app.messages';

const { title, text, action } = appMessages.crash;

/** Shown instead of a screen that has thrown an error. */
export function CrashPage() {
  return (
    <main>
      <PageMessage title={title} text={text}>
        <button type="button" onClick={() => window.location.reload()}>
          {action}
        </button>
      </PageMessage>
    </main>
  );
}
