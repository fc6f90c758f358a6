import { useState } from 'react';

/** The response to an editable request, and its setter. The response is null once the request has changed. */
export function useResponseTo<Result>(request: object) {
  const requestText = JSON.stringify(request);
  const [lastResponse, setLastResponse] = useState<{ requestText: string; response: Result } | null>(null);
  const setResponse = (response: Result | null) => setLastResponse(response && { requestText, response });
  return [lastResponse?.requestText === requestText ? lastResponse.response : null, setResponse] as const;
}
