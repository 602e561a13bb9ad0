import type { Transaction } from '#contracts/http/balance.ts'

/** Documents that the wire names by their own kind. */
const ON_THE_WIRE = ['order', 'payment', 'renewal', 'modification'] as const
/** Documents that the wire names by their id alone. */
const BY_ID = ['premium', 'spins', 'prize', 'account'] as const
/** Documents that the wire names by kind and id in one text. */
const BY_NAME = [
  'refund',
  'chargeback',
  'dispute-won',
  'elsewhere',
  'elsewhere-returned',
  'debt',
  'unmatched',
  'server-refund',
  'withdrawal',
  'correction',
] as const

export const DOCUMENT_KINDS = [...ON_THE_WIRE, ...BY_ID, ...BY_NAME] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** The row behind a statement line. `source` distinguishes several events of a provider for one payment. */
export type DocumentRef = { readonly kind: DocumentKind; readonly id: string; readonly source?: string }

const isOneOf = <Kind extends string>(kinds: readonly Kind[], kind: string): kind is Kind =>
  (kinds as readonly string[]).includes(kind)

/** A document's name on customers' pages. */
export function documentOnTheWire({ kind, id, source = '' }: DocumentRef): Transaction['document'] {
  if (isOneOf(ON_THE_WIRE, kind)) return { kind, id }
  if (isOneOf(BY_ID, kind)) return { kind: 'none', id }
  return { kind: 'none', id: source === '' ? `${kind}:${id}` : `${kind}:${id}:${source}` }
}
