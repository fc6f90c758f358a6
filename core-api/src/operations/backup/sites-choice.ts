/** Files of sites in a backup. `live` means the current and the previous version of each site. */
const sitesChoices = ['live', 'all', 'none'] as const;
export type SitesChoice = (typeof sitesChoices)[number];

export const isSitesChoice = (text: string): text is SitesChoice => sitesChoices.some((choice) => choice === text);
