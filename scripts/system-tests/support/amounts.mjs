/**
 * Options of a program that seeds a large installation, for `parseArgs`.
 * @satisfies {import('node:util').ParseArgsConfig['options']}
 */
export const amountOptions = {
  subdomains: { type: 'string', default: '50000' },
  tenants: { type: 'string', default: '50000' },
  projects: { type: 'string', default: '20' },
  keys: { type: 'string', default: '100000' },
  routes: { type: 'string', default: '10000' },
};

/**
 * Returns the amounts of rows that the options of a program set, with the amounts that are always the same.
 * @param {Record<keyof typeof amountOptions, string>} options
 */
export const selectAmounts = ({ subdomains, tenants, projects, keys, routes }) => ({
  subdomains,
  tenants,
  projects,
  keys,
  routes,
  services: '50',
  messages: '10',
});

/**
 * Returns the arguments of `npm run seed`, which adds rows up to these amounts.
 * @param {Record<string, string>} amounts
 */
export const toSeedArguments = (amounts) => Object.entries(amounts).flatMap(([name, amount]) => [`--${name}`, amount]);
