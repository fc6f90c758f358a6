/** Variables that carry secrets, each with the programs that need it. */
export const secretVariables = {
  JWT_SECRET: ['core-api'],
  SETTINGS_KEY: ['core-api'],
  ADMIN_PASSWORD: ['core-api'],
  SMTP_URL: ['core-api'],
  AI_API_KEY: ['core-api'],
  DATABASE_URL: ['core-api', 'edge'],
  EDGE_ADMIN_TOKEN: ['core-api', 'bff', 'edge'],
};

/** Returns the variables of `env` for one program, without the secrets of other programs. */
export const selectEnvironment = (program, env) =>
  Object.fromEntries(Object.entries(env).filter(([variable]) => secretVariables[variable]?.includes(program) ?? true));
