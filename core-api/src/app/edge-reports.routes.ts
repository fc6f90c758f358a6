import express, { type Router } from 'express';
import type { Config } from '../platform/config/config';
import type { Database } from '../platform/database/database';
import { isSameSecret } from '../platform/secrets/secret-text';
import { EDGE_REPORTS_PATH, edgeReport } from './edge-report.schema';
import { readOrCreateEdgeToken } from './edge-token';
import { storeEdgeReport } from './store-edge-report';

/** Receives reports of edges whose user may only read the SQLite file. Other edges write theirs to the database. */
export function createEdgeReportsRouter(config: Pick<Config, 'DATA_DIR'>, database: Database): Router {
  const token = readOrCreateEdgeToken(config);
  const router = express.Router();
  router.post(
    EDGE_REPORTS_PATH,
    (request, response, next) => {
      const [, givenToken = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (isSameSecret(givenToken, token)) next();
      else response.status(401).end();
    },
    express.json({ limit: '16mb', inflate: false }),
    async (request, response) => {
      const { success, data } = edgeReport.safeParse(request.body);
      if (!success) {
        response.status(400).end();
        return;
      }
      await database.concurrentWrite((manager) => storeEdgeReport(manager, data));
      response.status(204).end();
    },
  );
  return router;
}
