/** Variables that carry secrets, and the programs that need each. */
export const secretVariables = {
  JWT_SECRET: ['core-api'],
  SETTINGS_KEY: ['core-api'],
  ADMIN_PASSWORD: ['core-api'],
  SMTP_URL: ['core-api'],
  AI_API_KEY: ['core-api'],
  DATABASE_URL: ['core-api', 'edge'],
  EDGE_ADMIN_TOKEN: ['core-api', 'bff', 'edge'],
};

/** What a program gets of `env`: no secret of another one, so that one that is broken into has none to tell. */
export const environmentOf = (program, env) =>
  Object.fromEntries(Object.entries(env).filter(([variable]) => secretVariables[variable]?.includes(program) ?? true));
