import type { RuleViolation } from '../../routing/sites/site-rules';

const ruleViolations: Record<RuleViolation, string> = {
  syntax: 'a linha não foi entendida',
  path: 'o caminho deve começar com / e ter no máximo um *',
  condition: 'condições (Country, Role, Language, parâmetros) não são atendidas aqui',
  proxy: 'encaminhar a outro endereço não é atendido aqui',
  status: 'o status deve ser 200, 301, 302, 303, 307, 308 ou 404',
  target: 'falta um destino válido',
  header: 'este cabeçalho não pode ser definido por um site',
  'basic-auth': 'Basic-Auth não é atendido aqui; use a senha do site',
  'too-many': 'há regras demais',
};

export const siteMessages = {
  // Packages
  notZip: 'O pacote não é um zip válido.',
  notTar: 'O pacote não é um tar.gz válido.',
  notManifest: 'O corpo deve ser { "files": { "caminho": { "sha256", "size" } } }.',
  encrypted: (path: string) => `${path}: o arquivo está cifrado.`,
  compression: (path: string) => `${path}: a compressão deste arquivo não é conhecida.`,
  damaged: (path: string) => `${path}: o arquivo está danificado no pacote.`,
  badPath: (path: string) => `${path}: este caminho não é aceito.`,
  notRegular: (path: string) => `${path}: só arquivos e pastas são aceitos, sem links nem dispositivos.`,
  longPath: (path: string) => `${path}: o caminho passa de 1.024 bytes.`,
  duplicatePath: (path: string) => `${path}: este caminho aparece duas vezes no pacote.`,
  noIndex: 'O pacote não tem index.html na raiz.',
  tooLarge: 'O pacote passa de 200 MB.',
  tooLargeUnpacked: 'O pacote passa de 500 MB descompactado.',
  tooManyFiles: 'O pacote passa de 20.000 arquivos.',
  tooManyFolders: 'O pacote passa de 20.000 pastas.',
  fileTooLarge: (path: string) => `${path}: o arquivo passa de 100 MB.`,
  tooSlow: 'Ler o pacote demorou demais. Refaça o arquivo e tente de novo.',
  rule: (file: string, line: number, rule: RuleViolation) => `${file}, linha ${line}: ${ruleViolations[rule]}.`,
  ruleFileSize: (file: string) => `${file} passa de 1 MB.`,
  aborted: 'O envio foi interrompido.',
  // Warnings
  dotfiles: (count: number, example: string) =>
    count === 1 ? `${example} ficou de fora.` : `${count} arquivos ocultos ficaram de fora, como ${example}.`,
  differInCase: (a: string, b: string) => `${a} e ${b} diferem só em maiúsculas.`,
  notImmutable: (path: string) => `${path} mudou de conteúdo e deixou de ser immutable.`,
  endlessRedirect: (from: string) =>
    `_redirects: o redirecionamento de ${from} nunca chega a uma página; o destino é redirecionado de novo, sem fim.`,
  moreWarnings: (count: number) => `E mais ${count} avisos.`,
  // Versions
  notStatic: 'Só sites do tipo static recebem versões.',
  publicationRunning: 'Já há uma publicação em andamento neste site.',
  diskFull: 'O espaço dos sites acabou.',
  contentMissing: 'Os arquivos desta versão não estão nesta instalação; a cópia restaurada não os tinha.',
  lateMachines: 'Há servidores que ainda não receberam os arquivos; até lá mostram a versão anterior.',
  versionNotFound: 'Versão não encontrada.',
  notReady: 'Esta versão ainda não está completa.',
  uploadExpired: 'O envio desta versão expirou. Publique de novo.',
  versionIsLive: 'A versão que está no ar não pode ser removida.',
  otherSize: (path: string) => `${path}: o conteúdo não tem o tamanho da lista.`,
  otherContent: 'O conteúdo não corresponde ao sha256 do endereço.',
  unknownContent: 'Esta versão não tem um arquivo com este conteúdo.',
  uploadsOpen: (limit: number) =>
    `Há ${limit} endereços de envio em aberto nesta conta. Use um deles ou espere uma hora.`,
  uploadGone: 'Este endereço de envio já foi usado ou expirou. Tente de novo.',
  missing: (count: number) => (count === 1 ? 'Falta 1 arquivo.' : `Faltam ${count} arquivos.`),
  messageLong: 'A mensagem pode ter no máximo 500 caracteres.',
  activate: 'activate deve ser true ou false.',
  previewEnd: 'Informe uma data futura, de no máximo 366 dias.',
  previewPassword: 'A senha da prévia deve ter de 4 a 200 caracteres.',
} as const;
