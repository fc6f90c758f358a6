/** The primary process of the edge, which starts the workers (`edge-worker.ts`). */
import { setFlagsFromString } from 'node:v8';
import { requireAdminToken } from '../edge/process/admin-server';
import { ListeningSocket } from '../edge/process/listening/listening-socket';
import { openListeningSocket } from '../edge/process/listening/orphaned-workers';
import { Primary } from '../edge/process/primary';
import { isLogFilePath, requireWritableLogFile } from '../edge/telemetry/output/log-file';
import { openOutput } from '../edge/telemetry/output/open-output';
import { SpanDelivery } from '../edge/telemetry/spans/span-delivery';
import { readConfig } from '../platform/config/config';
import { chooseListenAddress, chooseSocketAddress } from '../platform/lifecycle/listen-address';
import { failStart } from '../platform/lifecycle/start-failure';
import { createLog } from '../platform/log/log';
import { STDOUT } from '../platform/log/non-blocking';
import { isTracingEnabled } from '../platform/tracing/span-export';

// Growth of the old generation, in percent, before the next full collection. By default it may grow by more than
// 100 %, and the rows that the primary reads at its first start would fill it with garbage.
setFlagsFromString('--heap-growing-percent=50');

async function main(): Promise<void> {
  // A log rotation may send SIGHUP to an edge that is still starting.
  process.on('SIGHUP', () => undefined);
  // New files get mode 0600.
  process.umask(0o077);
  const config = readConfig(process.env);
  requireAdminToken(config.EDGE_ADMIN_HOST, config.EDGE_ADMIN_TOKEN);
  if (isLogFilePath(config.ACCESS_LOG)) requireWritableLogFile(config.ACCESS_LOG);
  let droppedChunkCount = 0;
  const output = openOutput(STDOUT, () => {
    droppedChunkCount += 1;
  });
  const log = createLog(config.LOG_LEVEL, 'edge', output);
  const spans = isTracingEnabled(config) ? await SpanDelivery.open(config.OTEL_EXPORTER_OTLP_PROTOCOL, log) : undefined;
  const socket = await openListeningSocket(chooseListenAddress(config.PORT, config.HOST), log);
  const proxySocket =
    config.EDGE_SOCKET === undefined
      ? undefined
      : await ListeningSocket.openPath(chooseSocketAddress(config.EDGE_SOCKET)).catch((error: unknown) =>
          failStart(error, 'EDGE_SOCKET'),
        );
  const countDroppedOutput = () => droppedChunkCount;
  await new Primary({ config, log, output, countDroppedOutput, socket, proxySocket, spans }).start();
}

main().catch((error: unknown) => failStart(error, 'PORT'));
