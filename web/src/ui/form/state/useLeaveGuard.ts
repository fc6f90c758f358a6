import { type RefObject, useEffect } from 'react';
import { type TrackedForm, trackForm } from '../../../lib/forms/unsavedForms';

export interface LeaveOptions {
  /** Navigations that ask first: all (`dialog`, the default), those to another path or tab (`page`), or none (null). */
  scope?: TrackedForm['scope'] | null;
}

/** Makes a navigation ask before changes are lost (`UnsavedChangesPrompt`), and calls `discard` if the user agrees. */
export function useLeaveGuard(
  isDirty: RefObject<boolean>,
  discard: () => void,
  { scope = 'dialog' }: LeaveOptions,
): void {
  useEffect(() => {
    if (scope === null) return;
    return trackForm({ scope, isDirty: () => isDirty.current, discard });
  }, [scope, isDirty, discard]);
}
