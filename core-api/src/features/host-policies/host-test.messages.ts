const createStates = (passed: string, refused: string) => ({ passed, refused, off: 'Sem regra.' });

export const stepMessages = {
  host: createStates('O endereço é de um site.', 'Nenhum site neste endereço.'),
  paused: createStates('O site não está em pausa.', 'O site está em pausa.'),
  preview: createStates('Nenhuma prévia expirada.', 'O prazo da prévia acabou.'),
  domain: createStates('O domínio é atendido ou leva ao principal.', ''),
  maintenance: createStates('A manutenção não vale para este cliente.', 'O site está em manutenção.'),
  address: createStates('O endereço do cliente é aceito.', 'O endereço do cliente não está na lista.'),
  rate: createStates('Há um limite por cliente, que não é contado aqui.', 'O limite do cliente foi atingido.'),
  password: createStates('A senha foi aceita ou não é preciso digitá-la.', 'Falta a senha do site.'),
  redirect: createStates('Um redirecionamento vale para este caminho, ou nenhum.', ''),
  body: createStates('O corpo cabe no limite.', 'O corpo passa do limite.'),
  target: createStates('O destino responde.', 'O destino não pode ser servido.'),
} as const;
