import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  DOCUMENT_KINDS,
  documentOnTheWire,
  type DocumentKind,
} from '../../../control-plane/money/things/document-ref.ts'
import { readStatement, writeStatementLine, type StatementLine } from '../../../control-plane/money/wallet/statement.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { orderContext, shopDatabase } from '../../factories/shop.ts'

let database: ControlDatabase
beforeAll(async () => {
  database = await shopDatabase()
})
afterAll(() => database.close())

const TYPES: Partial<Record<DocumentKind, StatementLine['type']>> = {
  premium: 'premium',
  spins: 'spin',
  prize: 'prize',
}
const typeOf = (kind: DocumentKind): StatementLine['type'] => TYPES[kind] ?? 'correction'
const sourceOf = (kind: DocumentKind): string => (kind === 'chargeback' ? 'dispute:1' : '')

type Row = {
  kind: string | null
  words: string
  reference_kind: string | null
  reference_id: string | null
  source: string
}
const rowOf = async (id: string): Promise<Row | undefined> => {
  const [row] = await database.owner.query<Row>(
    `select document_kind as kind, document_id as words, reference_kind, reference_id, reference_source as source
     from control.wallet_transactions where id = $1`,
    [id],
  )
  return row
}

describe('the document of a statement line', () => {
  it.each(DOCUMENT_KINDS)('%s is stored in the previous release’s words', async (kind) => {
    const userId = systemIds.next()
    const document = { kind, id: kind === 'account' ? userId : systemIds.next(), source: sourceOf(kind) }
    const line = { userId, type: typeOf(kind), paymentType: 'balance', amountFt: 5n, status: 'finished' } as const
    const id = await writeStatementLine(database.db, orderContext(database.db), { ...line, reason: 'Test', document })
    const words = documentOnTheWire(document)
    expect(await rowOf(id)).toEqual({
      kind: words.kind,
      words: words.id,
      reference_kind: kind,
      reference_id: document.id,
      source: document.source,
    })
    expect((await readStatement(database.db, { userId })).items[0]?.document).toEqual(words)
  })

  it.each(DOCUMENT_KINDS)('%s written by the previous release is recognized by its kind', async (kind) => {
    const [id, userId] = [systemIds.next(), systemIds.next()]
    const document = { kind, id: kind === 'account' ? userId : systemIds.next(), source: sourceOf(kind) }
    const words = documentOnTheWire(document)
    await database.db.query(
      `insert into control.wallet_transactions (id, user_id, type, payment_type, amount_ft, status, reason, document_kind,
         document_id, created_at, updated_at) values ($1, $2, $3, 'balance', 5, 'finished', 'Test', $4, $5, now(), now())`,
      [id, userId, typeOf(kind), words.kind, words.id],
    )
    expect(await rowOf(id)).toMatchObject({
      words: words.id,
      reference_kind: kind,
      reference_id: document.id,
      source: document.source,
    })
  })

  it.each(DOCUMENT_KINDS)(
    'the previous release finishes a line with a document of kind %s that this one wrote',
    async (kind) => {
      const userId = systemIds.next()
      const document = { kind, id: kind === 'account' ? userId : systemIds.next(), source: sourceOf(kind) }
      const line = { userId, type: typeOf(kind), paymentType: 'balance', amountFt: 5n, status: 'processing' } as const
      await writeStatementLine(database.db, orderContext(database.db), { ...line, reason: 'Test', document })
      const words = documentOnTheWire(document)
      await database.db.query(
        'update control.wallet_transactions set status = $3, updated_at = $4 where document_kind = $1 and document_id = $2',
        [words.kind, words.id, 'finished', new Date()],
      )
      expect((await readStatement(database.db, { userId })).items.map(({ status }) => status)).toEqual(['finished'])
    },
  )

  it('a document of unknown kind keeps its name', async () => {
    const [id, userId] = [systemIds.next(), systemIds.next()]
    await database.db.query(
      `insert into control.wallet_transactions (id, user_id, type, payment_type, amount_ft, status, reason, document_kind,
         document_id, created_at, updated_at) values ($1, $2, 'correction', 'balance', 5, 'finished', 'Test', 'none', 'by hand', now(), now())`,
      [id, userId],
    )
    expect(await rowOf(id)).toMatchObject({ reference_kind: null, reference_id: null })
    expect((await readStatement(database.db, { userId })).items[0]?.document).toEqual({ kind: 'none', id: 'by hand' })
  })

  it('every document kind is in the closed list', async () => {
    const insert = database.db.query(
      `insert into control.wallet_transactions (id, user_id, type, payment_type, amount_ft, status, reason, reference_kind,
         reference_id, created_at, updated_at) values ($1, $1, 'correction', 'balance', 5, 'finished', 'Test', 'gift', $1, now(), now())`,
      [systemIds.next()],
    )
    await expect(insert).rejects.toThrow('wallet_transactions_reference_kind_check')
  })
})
