/** The reason why a package is refused: 413 if it exceeds a limit, otherwise 400. Threads exchange its two fields. */
export class PackageFault extends Error {
  constructor(
    readonly status: 400 | 413,
    message: string,
  ) {
    super(message);
  }
}
