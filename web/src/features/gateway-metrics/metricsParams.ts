import type { MetricsRange, MetricsSubject } from '../../generated/graph';

const RANGES: Readonly<Record<string, MetricsRange>> = {
  '1h': 'last1h',
  '24h': 'last24h',
  '7d': 'last7d',
  '30d': 'last30d',
};
/** Subjects by their names in the URL. */
const SUBJECTS: Readonly<Record<string, MetricsSubject>> = { chave: 'key', servico: 'service', rota: 'route' };

export const rangeNames = Object.keys(RANGES);
export const subjectNames = Object.keys(SUBJECTS);

/** Reads the URL (`?periodo=7d&por=rota&de=rota-019a…`). The default is 24 hours by key. */
export function readMetricsParams(params: URLSearchParams) {
  const readChoice = (names: readonly string[], param: string, defaultName: string) =>
    names.find((candidate) => candidate === params.get(param)) ?? defaultName;
  const rangeName = readChoice(rangeNames, 'periodo', '24h');
  const subjectName = readChoice(subjectNames, 'por', 'chave');
  const filterText = params.get('de') ?? '';
  const filterName = subjectNames.find((name) => filterText.startsWith(`${name}-`)) ?? '';
  const kind = SUBJECTS[filterName];
  return {
    rangeName,
    range: RANGES[rangeName] ?? 'last24h',
    subjectName,
    by: SUBJECTS[subjectName] ?? 'key',
    /** The only subject whose requests are shown; null for the whole gateway. */
    filter: kind ? { by: kind, id: filterText.slice(filterName.length + 1) } : null,
  };
}
