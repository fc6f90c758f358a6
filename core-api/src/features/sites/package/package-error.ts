/** The reason why a package is refused. The status is 413 above a limit, otherwise 400. */
export class PackageError extends Error {
  constructor(
    readonly status: 400 | 413,
    message: string,
  ) {
    super(message);
  }
}
