import { useState } from 'react';

/** The response to an editable request, and its setter. While the request has other values, the response is null. */
export function useResponseTo<Result>(request: object) {
  const requestText = JSON.stringify(request);
  const [lastResponse, setLastResponse] = useState<{ requestText: string; response: Result } | null>(null);
  const setResponse = (response: Result | null) => setLastResponse(response && { requestText, response });
  return [lastResponse?.requestText === requestText ? lastResponse.response : null, setResponse] as const;
}
