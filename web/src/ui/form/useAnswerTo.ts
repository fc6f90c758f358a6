import { useState } from 'react';

/** The response to a request that the user can edit, and its setter. The response is null once the request has changed. */
export function useAnswerTo<Answer>(request: object) {
  const requestText = JSON.stringify(request);
  const [lastAnswer, setLast] = useState<{ requestText: string; answer: Answer } | null>(null);
  const setAnswer = (answer: Answer | null) => setLast(answer && { requestText, answer });
  return [lastAnswer?.requestText === requestText ? lastAnswer.answer : null, setAnswer] as const;
}
