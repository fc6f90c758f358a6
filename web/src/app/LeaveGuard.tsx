import { useEffect } from 'react';
import { useBlocker, useLocation } from 'react-router';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { formsLost } from '../ui/dirtyForms';
import { currentToken } from '../ui/session';
import { uiMessages } from '../ui/ui.messages';

const { title, text, confirm, cancel } = uiMessages.discard;

function warn(event: BeforeUnloadEvent): void {
  if (formsLost(true).length > 0) event.preventDefault();
}

/** Asks before a navigation, a closed dialog or a closed tab loses what was typed. One for all screens: the router knows one blocker. */
export function LeaveGuard() {
  const { pathname } = useLocation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentToken() !== null && formsLost(currentLocation.pathname !== nextLocation.pathname).length > 0,
  );
  useEffect(() => {
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={title}
      message={text}
      confirmLabel={confirm}
      cancelLabel={cancel}
      onClose={() => blocker.reset()}
      onConfirm={async () => {
        for (const form of formsLost(blocker.location.pathname !== pathname)) form.discard();
        blocker.proceed();
      }}
    />
  );
}
