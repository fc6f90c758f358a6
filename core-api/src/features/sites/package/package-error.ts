/** The reason why a package is refused. 413: too many files or bytes; 400: invalid content, path or rule file. */
export class PackageError extends Error {
  constructor(
    readonly status: 400 | 413,
    message: string,
  ) {
    super(message);
  }
}
