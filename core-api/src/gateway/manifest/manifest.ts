import type { HttpMethod } from '../../rules/http-method';

export interface ManifestRoute {
  method: HttpMethod;
  path: string;
  /** Empty when the document names none. */
  permission: string;
  /** From method and path, for a route whose `permission` is empty. */
  suggestedPermission?: string;
  summary?: string;
  /** Host name that the document gives this operation alone; the route leads to the service's host all the same. */
  otherServer?: string;
}

/** An operation that is in the document and cannot be a route. */
interface SkippedOperation {
  /** Absent for a whole path that could not be read. */
  method?: string;
  path: string;
  /** A sentence for the screen. */
  reason: string;
}

export interface Manifest {
  routes: ManifestRoute[];
  skipped: SkippedOperation[];
}

/** The service that offers the document. */
export interface ManifestOwner {
  name: string;
  /** http(s) address as it is stored. */
  host: string;
}

/** Why a document gives no manifest; the message is a sentence for the screen. */
export class ManifestFault extends Error {}
