/** A host, which breaks before its first dot where it does not fit in one line. */
export function HostText({ host }: { host: string }) {
  const dot = host.indexOf('.');
  return (
    <>
      {host.slice(0, dot)}
      <wbr />
      {host.slice(dot)}
    </>
  );
}
