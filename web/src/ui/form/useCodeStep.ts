import { useState } from 'react';
import { interrupted } from './useLocking';

/**
 * The second step of a form, which asks for a code. It begins when `send` is refused because the code is missing: the password
 * was right, so this is no error.
 */
export function useCodeStep(isCodeMissing: (error: unknown) => boolean) {
  const [asksCode, setAsksCode] = useState(false);
  const send = (call: () => Promise<unknown>) =>
    call().catch((error: unknown) => {
      if (asksCode || !isCodeMissing(error)) throw error;
      setAsksCode(true);
      throw interrupted();
    });
  return { asksCode, send, goBack: () => setAsksCode(false) };
}
