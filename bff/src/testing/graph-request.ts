/** The response to a GraphQL request. */
export interface GraphResponse {
  status: number;
  headers: Headers;
  data: Record<string, unknown> | null | undefined;
  errors: { message: string; path?: string[]; extensions: Record<string, unknown> }[];
}

interface GraphRequest {
  query: string;
  variables?: Record<string, unknown>;
  token?: string;
  headers?: Record<string, string>;
}

/** Sends a GraphQL request as the console does. */
export async function requestGraph(
  url: string,
  { query, variables, token, headers }: GraphRequest,
): Promise<GraphResponse> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json;q=0.9',
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors = [] }: Partial<GraphResponse> = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, data, errors };
}
