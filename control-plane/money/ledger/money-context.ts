import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { Ledger } from './ledger.ts'

/** The context of use cases that move money. `ledgerOn` opens the ledger inside the caller's transaction. */
export type MoneyContext = Context & { readonly ledgerOn: (sql: Sql) => Ledger }
