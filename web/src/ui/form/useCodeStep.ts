import { useState } from 'react';
import { WAITING, type Waiting } from './state/waiting';

/**
 * The second step of a form, which asks for a code. The step begins when `send` is refused because the code is missing.
 * That refusal is not an error, because the password was correct.
 */
export function useCodeStep(isCodeMissing: (error: unknown) => boolean) {
  const [asksCode, setAsksCode] = useState(false);
  const sendWithCode = <Result>(send: () => Promise<Result>): Promise<Result | Waiting> =>
    send().catch((error: unknown) => {
      if (asksCode || !isCodeMissing(error)) throw error;
      setAsksCode(true);
      return WAITING;
    });
  return { asksCode, sendWithCode, goBack: () => setAsksCode(false) };
}
