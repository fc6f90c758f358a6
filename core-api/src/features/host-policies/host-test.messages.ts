const states = (passed: string, refused: string, off = 'Sem regra.') => ({ passed, refused, off });

/** Result of each step, by its state. */
export const stepMessages = {
  host: states('O endereço é de um site.', 'Nenhum site neste endereço.'),
  paused: states('O site não está em pausa.', 'O site está em pausa.'),
  preview: states('Nenhuma prévia expirada.', 'O prazo da prévia acabou.'),
  domain: states('O domínio é atendido ou leva ao principal.', ''),
  maintenance: states('A manutenção não vale para este cliente.', 'O site está em manutenção.'),
  address: states('O endereço do cliente é aceito.', 'O endereço do cliente não está na lista.'),
  rate: states('Há um limite por cliente, que não é contado aqui.', 'O limite do cliente foi atingido.'),
  password: states('A senha foi aceita ou não é preciso digitá-la.', 'Falta a senha do site.'),
  redirect: states('Um redirecionamento vale para este caminho, ou nenhum.', ''),
  body: states('O corpo cabe no limite.', 'O corpo passa do limite.'),
  target: states('O destino responde.', 'O destino não pode ser servido.'),
} as const;
