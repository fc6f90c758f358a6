/** A worker's descriptor of what it writes its lines to; those before it are its standard streams. */
export const OUTPUT_DESCRIPTOR = 3;

/** A worker's descriptor of the port. */
export const PORT_DESCRIPTOR = 4;
