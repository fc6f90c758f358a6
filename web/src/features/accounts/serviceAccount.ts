import type { ServiceAccountsQuery } from './generated/accounts';

export type ServiceAccount = ServiceAccountsQuery['serviceAccounts'][number];
