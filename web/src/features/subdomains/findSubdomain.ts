import type { ApolloClient } from '@apollo/client';
import { type SubdomainRowFragment, SubdomainsDocument } from './generated/subdomains';

/** The most that the server gives at once. */
const PAGE_SIZE = 100;

/**
 * The subdomain of that name, as it is saved now: looked for page by page, since the search for its name finds whatever
 * contains it. @param isWanted false ends the search
 */
export async function findSubdomain(
  client: ApolloClient,
  name: string,
  isWanted: () => boolean = () => true,
): Promise<SubdomainRowFragment | undefined> {
  for (let page = 1, isOver = false; !isOver && isWanted(); page += 1) {
    const { data } = await client.query({
      query: SubdomainsDocument,
      variables: { page, limit: PAGE_SIZE, search: name },
      fetchPolicy: 'no-cache',
    });
    const rows = data?.subdomains.subdomains ?? [];
    const row = rows.find(({ subdomain }) => subdomain === name);
    if (row) return row;
    isOver = rows.length < PAGE_SIZE;
  }
  return undefined;
}
