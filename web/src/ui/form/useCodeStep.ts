import { useState } from 'react';
import { createInterruptedError } from '../../lib/userError';

/**
 * The second step of a form, which asks for a code. The step begins when `send` is refused because the code is missing.
 * That refusal is not an error, because the password was correct.
 */
export function useCodeStep(isCodeMissing: (error: unknown) => boolean) {
  const [asksCode, setAsksCode] = useState(false);
  const send = (call: () => Promise<unknown>) =>
    call().catch((error: unknown) => {
      if (asksCode || !isCodeMissing(error)) throw error;
      setAsksCode(true);
      throw createInterruptedError();
    });
  return { asksCode, send, goBack: () => setAsksCode(false) };
}
