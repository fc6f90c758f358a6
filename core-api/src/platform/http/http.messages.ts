/** Unit of a minimum or maximum size, by zod's name for the type of the field. */
const units: Readonly<Record<string, string>> = { string: ' caracteres', array: ' itens' };
const verbForType = (type: string): string => (type in units ? 'são' : 'é');

/** Messages for fields whose schema defines no message. */
const field = {
  invalid: 'Verifique este campo.',
  wrongType: {
    string: 'Informe um texto.',
    number: 'Informe um número.',
    int: 'Informe um número inteiro.',
    boolean: 'Informe verdadeiro ou falso.',
    array: 'Informe uma lista.',
    object: 'Informe um objeto.',
    record: 'Informe um objeto.',
  } as Readonly<Record<string, string>>,
  oneOf: (values: string) => `Informe um destes valores: ${values}.`,
  minimum: (size: number | bigint, type: string) => `O mínimo ${verbForType(type)} ${size}${units[type] ?? ''}.`,
  maximum: (size: number | bigint, type: string) => `O máximo ${verbForType(type)} ${size}${units[type] ?? ''}.`,
} as const;

export const httpMessages = {
  invalid: 'Verifique os campos destacados.',
  unauthenticated: 'Sessão expirada ou inválida. Entre novamente.',
  role: 'Seu papel não permite fazer isto.',
  projectLimit: 'Seu acesso se limita a alguns projetos e não inclui isto.',
  scope: 'Este token não tem o escopo necessário.',
  personOnly: 'Só uma pessoa conectada pode fazer isto, não um token.',
  tokenAddress: 'Este endereço não pode usar este token.',
  deployToken: 'Informe um token de publicação, que diz de que site é.',
  otherSite: 'Este token não publica neste site.',
  fewerRights: 'As suas permissões mudaram enquanto isto era feito. Recarregue a página e tente de novo.',
  sudoRequired: 'Confirme a sua senha para continuar.',
  notFound: 'Endereço não encontrado.',
  wrongMethod: 'Método não permitido para este endereço.',
  notJson: 'O corpo da requisição não é um JSON válido.',
  repeated: 'Este parâmetro foi enviado mais de uma vez.',
  nul: 'Este campo não pode ter caracteres nulos.',
  incompleteCharacter: 'Este campo tem um caractere incompleto.',
  invisible: 'Este campo não pode ter caracteres invisíveis.',
  noObject: 'O corpo da requisição deve ser um objeto JSON.',
  wrongType: 'Envie o corpo como application/json em UTF-8.',
  wrongUpload: (types: string) => `Envie o corpo como ${types}, sem Content-Encoding.`,
  tooLarge: 'O corpo da requisição é maior do que o permitido.',
  badPath: 'O endereço contém caracteres inválidos.',
  unavailable: 'Serviço indisponível no momento. Tente novamente em instantes.',
  unexpected: 'Ocorreu um erro inesperado. Tente novamente.',
  field,
} as const;
