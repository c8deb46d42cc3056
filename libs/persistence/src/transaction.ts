import type { Prisma } from './generated/client';

/** Tables of one tenant, inside of its transaction. */
export type TenantTransaction = Prisma.TransactionClient;
