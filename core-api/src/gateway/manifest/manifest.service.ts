import { RuleError } from '../../http/errors';
import { fetchDocument, OutboundError, outboundDeadline } from '../../http/outbound';
import type { ServicesService } from '../services/services.service';
import { manifestMessages as messages } from './manifest.messages';
import { type ManifestRoute, readManifest } from './manifest-document';

/** In the order in which they are tried: the first that is not 404 counts (contract §3). */
const PATHS = ['/.well-known/gateway-manifest.json', '/manifest', '/openapi.json'];

const failed = (details: string, cause?: unknown) => new RuleError('outside', messages.failed, { details, cause });

export class ManifestService {
  constructor(private readonly services: ServicesService) {}

  /** @throws RuleError notFound; outside with the reason in `details` */
  async of(serviceId: string): Promise<ManifestRoute[]> {
    const { host } = await this.services.get(serviceId);
    const deadline = outboundDeadline();
    for (const path of PATHS) {
      const { status, text } = await fetchDocument(`${host}${path}`, deadline).catch((error: unknown) => {
        throw error instanceof OutboundError ? failed(error.message) : error;
      });
      if (status === 404) continue;
      if (status !== 200) throw failed(messages.status(status));
      const routes = readManifest(parseJson(text));
      if (!routes) throw failed(messages.notUnderstood);
      return routes;
    }
    throw failed(messages.missing);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failed(messages.notJson);
  }
}
