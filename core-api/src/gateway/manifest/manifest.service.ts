import { RuleError } from '../../errors';
import { fetchDocument, OutboundError, outboundDeadline } from '../../http/outbound';
import type { ServicesService } from '../services/services.service';
import { type Manifest, ManifestFault } from './manifest';
import { manifestMessages as messages } from './manifest.messages';
import { readManifestInThread } from './manifest-thread';

/** In the order in which they are tried: the first that is not 404 counts (contract §3). */
const PATHS = ['/.well-known/gateway-manifest.json', '/manifest', '/openapi.json'];

const failed = (details: string, cause?: unknown) => new RuleError('upstream', messages.failed, { details, cause });

/** What the service's own document does wrong is a sentence for the administrator. */
const asRuleError = (error: unknown): never => {
  throw error instanceof OutboundError || error instanceof ManifestFault ? failed(error.message, error) : error;
};

export class ManifestService {
  constructor(
    private readonly services: ServicesService,
    private readonly ownPorts: readonly number[],
  ) {}

  /** @throws RuleError notFound; upstream with the reason in `details` */
  async of(serviceId: string): Promise<Manifest> {
    const owner = await this.services.get(serviceId);
    const deadline = outboundDeadline();
    for (const path of PATHS) {
      const address = `${owner.host}${path}`;
      const { status, body } = await fetchDocument(address, this.ownPorts, deadline).catch(asRuleError);
      if (status === 404) continue;
      if (status !== 200) throw failed(messages.status(status));
      return readManifestInThread(body, { name: owner.name, host: owner.host }).catch(asRuleError);
    }
    throw failed(messages.missing);
  }
}
