import { type RefObject, useEffect } from 'react';
import { removeDraft } from '../../../lib/forms/drafts';
import { type TrackedForm, trackForm } from '../../../lib/forms/unsavedForms';

export interface LeaveOptions {
  /**
   * The navigations that would lose changes, and therefore ask first: all (`dialog`, the default), those to another
   * path or tab (`page`), or none (null).
   */
  scope?: TrackedForm['scope'] | null;
}

/** Makes a navigation ask before changes are lost (`UnsavedChangesPrompt`). A user who agrees discards the draft. */
export function useLeaveGuard(
  isDirty: RefObject<boolean>,
  { scope = 'dialog', draft }: LeaveOptions & { draft?: string },
): void {
  useEffect(() => {
    if (scope === null) return;
    const discard = () => {
      isDirty.current = false;
      if (draft !== undefined) removeDraft(draft);
    };
    return trackForm({ scope, isDirty: () => isDirty.current, discard });
  }, [scope, draft, isDirty]);
}
