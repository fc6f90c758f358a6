/** The instant in `ms` from now, ISO 8601 in UTC. @param ms negative for the past */
export const isoIn = (ms: number): string => new Date(Date.now() + ms).toISOString();
