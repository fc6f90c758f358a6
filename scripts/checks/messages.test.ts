import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const catalogues = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'web/src/**/*.messages.ts', 'core-api/src/**/*.messages.ts'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter(Boolean);
const webCatalogues = catalogues
  .filter((file) => file.startsWith('web/'))
  .map((file) => readFileSync(join(root, file), 'utf8'));

/** Texts that the specification quotes. They must not be reworded. */
const quotedTexts = [
  'Quero Lançar Meu Projeto',
  'Imersão e Estratégia',
  'Desenvolvimento Focado',
  'Testes e Qualidade',
  'Lançamento',
  'Agende Sua Consulta Gratuita',
  'Vamos Conversar;',
  'Enviar Mensagem',
  'Mensagem enviada com sucesso!',
  'Ocorreu um erro ao enviar a mensagem.',
  'Por favor, preencha todos os campos',
  'Erro ao fazer login',
  'Todos os direitos reservados',
  'Descreva seu Novo Serviço',
  'Subdomínios Atuais',
  'Gerar com IA',
  'Manualmente',
  'Voltar',
  'Subdomínio e descrição são obrigatórios.',
  'Erro ao carregar subdomínios',
  'Erro ao gerar sugestão.',
  'Erro ao adicionar subdomínio',
  'Erro ao remover subdomínio',
  'Subdomínio criado com sucesso!',
  'Subdomínio removido com sucesso!',
  'Gerenciador de Projetos',
  'Nenhum projeto encontrado.',
  'Novo Projeto',
  'Criar Novo Projeto',
  'Editar Projeto',
  'Nome do Projeto',
  'Prefixo do Banco de Dados',
  'Tipo de Configuração',
  'Porta do Serviço (Backend)',
  'Caminho dos Arquivos Estáticos',
  'Porta da API (Opcional)',
  'Erro ao carregar projetos',
  'Ocorreu um erro ao salvar o projeto.',
  'Ocorreu um erro ao remover o projeto.',
  'Projeto salvo com sucesso!',
  'Projeto removido com sucesso!',
  'Gerenciador de Tenants',
  'Nenhum tenant encontrado.',
  'Criar Novo Tenant',
  'Editar Tenant',
  'Domínio Personalizado',
  'Usar prefixo do projeto no nome do banco de dados',
  'Informações do Responsável (Opcional)',
  'Nome do Responsável',
  'Salvar e Configurar',
  'O campo de domínio não pode estar vazio.',
  'Erro ao carregar dados',
  'Ocorreu um erro ao salvar o tenant.',
  'Ocorreu um erro ao remover o tenant.',
  'Ocorreu um erro ao configurar o domínio.',
  'Tenant salvo com sucesso!',
  'Tenant removido com sucesso!',
  'Domínio configurado com sucesso! A propagação do SSL pode levar alguns minutos.',
  'Configurações do Sistema',
  'Integração com Telegram',
  'Token do Bot do Telegram',
  'Chat ID do Telegram',
  'Salvar Configurações',
  'Falha ao carregar as configurações.',
  'Falha ao salvar as configurações.',
  'Configurações salvas com sucesso!',
  'O nome é obrigatório',
  'Chave de API criada com sucesso!',
  'Chave de API atualizada com sucesso!',
  'Chave de API deletada com sucesso!',
  'Chave de API copiada!',
  'Falha ao copiar a chave.',
  'Falha ao carregar as chaves de API.',
  'Falha ao criar a chave de API.',
  'Falha ao atualizar a chave de API.',
  'Falha ao deletar a chave de API.',
  'Gerenciamento do Gateway',
  'Serviços Existentes',
  'Nenhum serviço encontrado.',
  'Adicionar Serviço',
  'Importar Rotas',
  'Rotas Configuradas',
  'Nenhuma rota encontrada.',
  'Buscando manifesto do serviço...',
  'Nenhuma rota encontrada no manifesto do serviço.',
  'Salvar Rotas Selecionadas',
  'Nenhuma rota selecionada ou com permissão definida.',
  'Falha ao carregar as rotas.',
  'Falha ao carregar os serviços.',
  'Falha ao carregar o manifesto do serviço.',
  'Serviço criado com sucesso!',
  'Rota criada com sucesso!',
  'Rotas importadas com sucesso!',
  'Métricas de Uso das Chaves de API',
  'Total de Requisições',
  'Chaves Ativas',
  'Chave Mais Ativa',
  'Detalhes por Chave',
  'Contagem de Uso',
  'Último Uso',
  'Nunca',
];

test.each(quotedTexts)('the console has the text: %s', (text) => {
  expect(webCatalogues.some((catalogue) => catalogue.includes(`'${text}'`) || catalogue.includes(`\`${text}`))).toBe(
    true,
  );
});

/** Texts for errors that the console finds before a call, and that REST also reports, in the same words. */
const sharedTexts = [
  'Por favor, preencha todos os campos',
  'Subdomínio e descrição são obrigatórios.',
  'O campo de domínio não pode estar vazio.',
  'O nome é obrigatório',
];

test.each(sharedTexts)('REST has the text of the console: %s', (text) => {
  const coreCatalogues = catalogues.filter((file) => file.startsWith('core-api/'));
  expect(coreCatalogues.some((file) => readFileSync(join(root, file), 'utf8').includes(`'${text}'`))).toBe(true);
});
