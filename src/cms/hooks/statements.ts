import type { sql } from '@payloadcms/db-postgres'
import type { PayloadRequest } from 'payload'

type Statements<Row> = { execute: (statement: ReturnType<typeof sql>) => Promise<{ rows: Row[] }> }

/** SQL in the transaction of the change that a hook belongs to. */
export const statementsOf = async <Row>(req: PayloadRequest): Promise<Statements<Row>> => {
  const { db } = req.payload
  const transactionId = await req.transactionID
  const session = transactionId === undefined ? undefined : db.sessions?.[transactionId]
  return (session?.db ?? db.drizzle) as unknown as Statements<Row>
}
