/** The service whose routes a document lists. Another server, or an administrator, may supply the document. */
export interface ManifestOwner {
  name: string;
  /** The service's http(s) URL as stored. */
  host: string;
}

/** Thrown if a document cannot be read as a manifest. The message is shown to the user. */
export class ManifestError extends Error {}
