/** The reason why a package is refused. Status 413: too many or too large files; 400: invalid content, path or rule. */
export class PackageError extends Error {
  constructor(
    readonly status: 400 | 413,
    message: string,
  ) {
    super(message);
  }
}
