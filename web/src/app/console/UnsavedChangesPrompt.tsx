import { type Path, useBeforeUnload, useBlocker, useLocation } from 'react-router';
import { listUnsavedForms } from '../../lib/forms/unsavedForms';
import { getToken } from '../../lib/session/session';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog';
import { uiMessages } from '../../ui/ui.messages';

const { title, text, confirm, cancel } = uiMessages.discard;

function preventUnload(event: BeforeUnloadEvent): void {
  if (listUnsavedForms({ changesScreen: true }).length > 0) event.preventDefault();
}

/** Returns the path and the tab of a URL (`useTabParam`), which decide whether a form of a page stays mounted. */
const toScreen = ({ pathname, search }: Path): string =>
  [pathname, ...['aba', 'tab'].map((name) => new URLSearchParams(search).get(name))].join('?');

/**
 * Asks the user before unsaved changes are lost by a navigation, or by closing a dialog or the browser tab. All screens
 * share one prompt, because the router allows only one blocker.
 */
export function UnsavedChangesPrompt() {
  const currentScreen = toScreen(useLocation());
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      getToken() !== null &&
      listUnsavedForms({ changesScreen: toScreen(currentLocation) !== toScreen(nextLocation) }).length > 0,
  );
  useBeforeUnload(preventUnload);
  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmDialog
      allowViewers
      title={title}
      message={text}
      confirmLabel={confirm}
      cancelLabel={cancel}
      onClose={() => blocker.reset()}
      onConfirm={async () => {
        for (const form of listUnsavedForms({ changesScreen: toScreen(blocker.location) !== currentScreen }))
          form.discard();
        blocker.proceed();
      }}
    />
  );
}
