import type { HttpMethod } from '../../../platform/validation/http-method';

export interface ManifestRoute {
  method: HttpMethod;
  path: string;
  /** Empty if the document names no permission. */
  permission: string;
  /** Derived from method and path, for a route whose `permission` is empty. */
  suggestedPermission?: string;
  summary?: string;
  /** Host name that the document gives only this operation. The route leads to the service's host anyway. */
  otherServer?: string;
}

/** An operation of the document that cannot become a route. */
interface SkippedOperation {
  /** Absent for a path item that could not be read. */
  method?: string;
  path: string;
  /** Message for the user. */
  reason: string;
}

export interface Manifest {
  routes: ManifestRoute[];
  skipped: SkippedOperation[];
}

/** The service that publishes the document. */
export interface ManifestOwner {
  name: string;
  /** The service's http(s) address as stored. */
  host: string;
}

/** The document cannot be read as a manifest. The message is shown to the user. */
export class ManifestError extends Error {}
