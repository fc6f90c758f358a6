import { Router } from 'express';
// Only this module is imported: the package's main module would load the whole user interface into this process.
import absolutePath from 'swagger-ui-dist/absolute-path.js';

const PAGE = `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API do estúdio</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="icon" href="/api/docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

const START_SCRIPT = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  onComplete() {
    const token = localStorage.getItem('token');
    if (token) this.ui?.preauthorizeApiKey?.('bearer', token);
  },
});
`;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The files of the package that the page loads. */
const PACKAGE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Creates a router that serves Swagger UI without files of other origins. */
export function createSwaggerUiRouter(): Router {
  const router = Router();
  router.use((_request, response, next) => {
    response.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  router.get('/', (_request, response) => void response.type('html').send(PAGE));
  router.get('/start.js', (_request, response) => void response.type('js').send(START_SCRIPT));
  for (const file of PACKAGE_FILES)
    router.get(`/${file}`, (_request, response) => response.sendFile(file, { root: absolutePath(), maxAge: '1h' }));
  return router;
}
