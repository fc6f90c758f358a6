import { Router } from 'express';
// The page is written here, because the package's main module would load the whole user interface into this process.
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

const START = `SwaggerUIBundle({
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

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The files of the package that the page loads. The page needs no other file of the package. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Swagger UI, served from this origin alone. */
export function createSwaggerUiRouter(): Router {
  const router = Router();
  router.use((_request, response, next) => {
    response.set('Content-Security-Policy', POLICY);
    next();
  });
  router.get('/', (_request, response) => void response.type('html').send(PAGE));
  router.get('/start.js', (_request, response) => void response.type('js').send(START));
  for (const file of FILES)
    router.get(`/${file}`, (_request, response) => response.sendFile(file, { root: absolutePath(), maxAge: '1h' }));
  return router;
}
