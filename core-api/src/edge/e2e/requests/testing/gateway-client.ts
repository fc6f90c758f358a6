import { waitFor } from '../../../../../../scripts/testing/program';
import { type Edge, type RequestOptions, sendRequest, type WireResponse } from '../../../../testing/edge';

/** Sends requests to the gateway of an edge with one key. A call may name another key, or null for no key. */
export class GatewayClient {
  constructor(
    private readonly edge: Edge,
    private readonly key: string,
  ) {}

  request(path: string, presentedKey: string | null = this.key, options: RequestOptions = {}): Promise<WireResponse> {
    const keyHeaders = presentedKey === null ? [] : ([['X-API-Key', presentedKey]] as const);
    return sendRequest(this.edge.port, {
      path,
      ...options,
      headers: [...keyHeaders, ...(options.headers ?? [])],
    });
  }

  /** Sends requests over several connections, so that all workers answer. Returns the distinct statuses. */
  async readStatuses(path: string, presentedKey?: string | null): Promise<number[]> {
    const responses = await Promise.all(Array.from({ length: 6 }, () => this.request(path, presentedKey)));
    return [...new Set(responses.map(({ status }) => status))];
  }

  waitForStatusAtEveryWorker(status: number, path: string, presentedKey?: string | null): Promise<boolean> {
    return waitFor(`${path} is ${status} at every worker`, async () => {
      const statuses = await this.readStatuses(path, presentedKey);
      return statuses.length === 1 && statuses[0] === status;
    });
  }
}
