import { createFieldError, RuleError } from '../../../platform/errors/rule-error';
import {
  createOutboundDeadline,
  type FetchedDocument,
  fetchDocument,
  OutboundError,
} from '../../../platform/outbound/outbound';
import type { KeysService } from '../keys';
import type { ServicesService } from '../services';
import { ManifestError } from './manifest';
import { manifestMessages as messages } from './manifest.messages';
import type { Manifest, ManifestSource } from './manifest.schema';
import { readManifestInThread } from './manifest-thread';
import { addServiceName } from './suggested-permission';

/** Paths in the order of the attempts, which end with the first response that is not 404 (contract §3). */
const PATHS = ['/.well-known/gateway-manifest.json', '/manifest', '/openapi.json'];

const createFetchError = (details: string, cause?: unknown) =>
  new RuleError('upstream', messages.failed, { details, cause });

/** Adds the URL of a document to an error in the document, because the administrator may have meant another URL. */
const mapManifestError =
  (url: string) =>
  (error: unknown): never => {
    throw error instanceof ManifestError ? createFetchError(messages.at(error.message, url), error) : error;
  };

export class ManifestService {
  constructor(
    private readonly services: ServicesService,
    private readonly routes: { findPermissionsOfOtherServices(serviceId: string): Promise<string[]> },
    private readonly keys: KeysService,
    private readonly ownPorts: readonly number[],
  ) {}

  /**
   * Reads the manifest for an import. If a key or another service's route already uses a suggested permission, the name
   * of this service is put before the permission. Existing keys thus cannot call the routes, except keys with `*`.
   * @param source the document or its URL; without both, the service is asked for its manifest
   * @throws RuleError notFound; invalid if `document` is no manifest; upstream if a fetch fails or finds no manifest
   */
  async readForImport(serviceId: string, source: ManifestSource = {}): Promise<Manifest> {
    const { routes, skipped } = await this.readSource(serviceId, source);
    const { name } = await this.services.get(serviceId);
    const requiredPermissions = new Set(await this.routes.findPermissionsOfOtherServices(serviceId));
    const isHeldByKey = await this.keys.createPermissionLookup();
    const toUnusedPermission = (permission: string) =>
      requiredPermissions.has(permission) || isHeldByKey(permission) ? addServiceName(permission, name) : permission;
    return {
      routes: routes.map((route) =>
        route.suggestedPermission === undefined
          ? route
          : { ...route, suggestedPermission: toUnusedPermission(route.suggestedPermission) },
      ),
      skipped,
    };
  }

  private async readSource(serviceId: string, { document, address }: ManifestSource): Promise<Manifest> {
    if (document === undefined && address === undefined) return this.fetch(serviceId);
    const { name, host } = await this.services.get(serviceId);
    if (address === undefined)
      return readManifestInThread(new TextEncoder().encode(document), { name, host }).catch((error: unknown) => {
        throw error instanceof ManifestError ? createFieldError('invalid', 'document', error.message) : error;
      });
    const response = await this.fetchFrom(address);
    if (response.status !== 200) throw createFetchError(messages.at(messages.status(response.status), address));
    return readManifestInThread(response.body, { name, host }).catch(mapManifestError(address));
  }

  private fetchFrom(url: string, deadline = createOutboundDeadline()): Promise<FetchedDocument> {
    return fetchDocument(url, this.ownPorts, deadline).catch((error: unknown) => {
      throw error instanceof OutboundError ? createFetchError(messages.at(error.message, url), error) : error;
    });
  }

  /** Requests the known paths until a response is not 404. @throws RuleError notFound; upstream with `details` */
  async fetch(serviceId: string): Promise<Manifest> {
    const service = await this.services.get(serviceId);
    const deadline = createOutboundDeadline();
    for (const path of PATHS) {
      const url = `${service.host}${path}`;
      const { status, body } = await this.fetchFrom(url, deadline);
      if (status === 404) continue;
      if (status !== 200) throw createFetchError(messages.at(messages.status(status), url));
      return readManifestInThread(body, { name: service.name, host: service.host }).catch(mapManifestError(url));
    }
    throw createFetchError(messages.missing(PATHS.map((path) => `${service.host}${path}`)));
  }
}
