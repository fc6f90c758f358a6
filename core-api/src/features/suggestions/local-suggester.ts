import { parsePort } from '../../platform/net/host-port';
import { foldAccents } from '../../platform/text/fold-accents';
import type { SuggestedFields } from './suggestions.schema';

const STOP_WORDS = new Set(
  `a o as os um uma uns umas de do da dos das em no na nos nas para pra pro por pelo pela com sem sob sobre e ou que qual se ao aos
  este esta esse essa isto isso meu minha nosso nossa seu sua ser e eh sera estar ter tem quero preciso queremos precisamos criar novo
  nova servico servicos sistema aplicacao aplicativo app site pagina porta host pasta diretorio caminho arquivo arquivos rodando roda
  rodar usando usar via apontando aponta apontar tunel tunnel proxy estatico estatica estaticos localhost servidor maquina onde como
  api http https www the of for my encaminhar encaminha encaminhe redirecionar redireciona publicar publica servir serve expor
  hospedar hospeda acessar`.split(/\s+/),
);

/** Parts of paths and host names that do not identify a site. */
const GENERIC_PARTS = new Set('public dist build out html htdocs var srv home opt sites web com net org br'.split(' '));

const MAX_WORDS = 3;
const MAX_LABEL_LENGTH = 40;

const HOST_AND_PORT =
  /(?:https?:\/\/)?((?:\d{1,3}\.){3}\d{1,3}|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})(?::(\d{1,5}))?(?![\w.])/i;
const FOLDER = /(?:^|\s)(\/[\w./-]*[\w-])/;
const API_PORT = /api\D{0,20}?(\d{2,5})/i;
const PORT = /(?:porta|port|localhost:|127\.0\.0\.1:|:)\s*(\d{2,5})/i;
const SCHEME_PORTS: Readonly<Record<string, number>> = { https: 443, http: 80 };
const LOOPBACK = /^(localhost|127(\.\d+){3})$/i;

const noTarget = { port: null, staticPath: null, apiPort: null, targetHost: null, targetPort: null };

/**
 * Extracts the target from the text: a folder, another host, or else a local port. Fields that the text does not
 * name stay empty.
 */
function extractTarget(description: string): Omit<SuggestedFields, 'subdomain' | 'description'> {
  const folder = FOLDER.exec(description.replace(/https?:\/\/\S+/g, ''))?.[1];
  if (folder || /est[aá]tic|html puro|arquivos do site/i.test(description)) {
    const apiPort = parsePort(API_PORT.exec(description)?.[1]) ?? null;
    return { ...noTarget, type: 'static', staticPath: folder ?? null, apiPort };
  }
  const [, host, port] = HOST_AND_PORT.exec(description) ?? [];
  if (host && !LOOPBACK.test(host)) {
    const scheme = /(https?):\/\//.exec(description.toLowerCase())?.[1] ?? '';
    const targetPort = parsePort(port) ?? parsePort(PORT.exec(description)?.[1]) ?? SCHEME_PORTS[scheme] ?? null;
    return { ...noTarget, type: 'tunnel', targetHost: host.toLowerCase(), targetPort };
  }
  return { ...noTarget, type: 'proxy', port: parsePort(PORT.exec(description)?.[1]) ?? null };
}

const extractKeyWords = (text: string): string[] =>
  foldAccents(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !/^\d+$/.test(word) && !STOP_WORDS.has(word));

/** Returns the key words of one part of the target: the last folder, or the first host label, that has key words. */
function extractTargetWords(description: string): string[] {
  const { staticPath, targetHost } = extractTarget(description);
  const parts = staticPath?.split('/').toReversed() ?? targetHost?.split('.') ?? [];
  return (
    parts
      .map((part) => extractKeyWords(part).filter((word) => !GENERIC_PARTS.has(word)))
      .find(({ length }) => length > 0) ?? []
  );
}

/** Creates a DNS label from the first key words of the description, or else from the target. */
function createLabel(description: string): string {
  const descriptionWords = extractKeyWords(
    description
      .replace(/https?:\/\/\S+/g, ' ')
      .replace(FOLDER, ' ')
      .replace(HOST_AND_PORT, ' '),
  );
  const words = descriptionWords.length > 0 ? descriptionWords : extractTargetWords(description);
  return words.slice(0, MAX_WORDS).join('-').slice(0, MAX_LABEL_LENGTH).replace(/-+$/, '') || 'servico';
}

/**
 * Suggests a subdomain without a model. Label and target are derived from the words of the description.
 * @param isFree returns whether a label is available; the first free one of `loja`, `loja-2`, … is suggested
 */
export async function suggestLocally(
  description: string,
  isFree: (label: string) => Promise<boolean>,
): Promise<SuggestedFields> {
  return {
    subdomain: await findFreeLabel(createLabel(description), isFree),
    description,
    ...extractTarget(description),
  };
}

/** Returns the first free label of `label`, `label-2`, `label-3`, …. */
export async function findFreeLabel(label: string, isFree: (label: string) => Promise<boolean>): Promise<string> {
  // A label has at most 63 characters, so a base of 56 characters leaves room for the hyphen and the number.
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? label : `${label.slice(0, 56)}-${number}`;
    if (await isFree(candidate)) return candidate;
  }
}
