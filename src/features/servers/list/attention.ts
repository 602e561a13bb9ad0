import { remainingDays } from '#domain/billing/period.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import type { ServerWord, ShownWord } from '#domain/servers/status.ts'

/** Most urgent first. */
export const attentionKinds = [
  'crashed',
  'errorOnStartup',
  'expired',
  'suspended',
  'expiresSoon',
  'maintenance',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** Days before the expiry from which a server is listed. */
export const SOON_DAYS = 3

type Watched = { readonly status: ServerWord; readonly expiry: string }
type Shown = { readonly word: ShownWord; readonly expiry: string }

const kindByWord: Partial<Readonly<Record<ShownWord, AttentionKind>>> = {
  crashed: 'crashed',
  'error on startup': 'errorOnStartup',
  expired: 'expired',
  suspended: 'suspended',
  nodeoffline: 'maintenance',
  unknown: 'maintenance',
}

/** Whether this state needs the reader, whatever the paid time. */
export const isTroubled = (word: ShownWord): boolean => kindByWord[word] !== undefined

/** Why a server needs its reader; undefined if it does not. */
export const attentionOf = ({ word, expiry }: Shown, nowMs: number): AttentionKind | undefined => {
  const kind = kindByWord[word]
  const isSoon = remainingDays(Date.parse(expiry), nowMs) <= SOON_DAYS
  return isSoon && (kind === undefined || kind === 'maintenance') ? 'expiresSoon' : kind
}

/** The servers that need their reader, the most urgent first, equal ones in the order of the list. */
export const watchedOf = <Server extends Watched>(
  servers: readonly Server[],
  nowMs: number,
): readonly { readonly server: Server; readonly kind: AttentionKind }[] =>
  servers
    .flatMap((server) => {
      const kind = attentionOf({ word: shownWordOf(server, nowMs), expiry: server.expiry }, nowMs)
      return kind === undefined ? [] : [{ server, kind }]
    })
    .toSorted((a, b) => attentionKinds.indexOf(a.kind) - attentionKinds.indexOf(b.kind))
