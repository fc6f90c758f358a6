/** A host, which breaks before its first dot if it does not fit into one line. */
export function HostText({ host }: { host: string }) {
  const dot = host.indexOf('.');
  if (dot < 0) return host;
  return (
    <>
      {host.slice(0, dot)}
      <wbr />
      {host.slice(dot)}
    </>
  );
}
