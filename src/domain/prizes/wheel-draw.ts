import { totalWeight, type WheelPrize } from './wheel.ts'

/**
 * The algorithm of a draw, so that a customer can verify it. Before the spin the customer sees `sha256(serverSeed)` and
 * chooses a client seed; the nonce counts the draws of a server seed. The draw is HMAC-SHA-256 with the server seed's
 * text as key over `clientSeed:nonce:round`, read as eight words of 32 bits, the most significant byte first. The first
 * word below the largest multiple of the total weight is used, modulo the total weight; if there is none, the next
 * round follows. The result is the ticket, and the prize is the one whose weights contain the ticket, counted in the
 * wheel's order from 0. After the spin the server seed is revealed.
 */
export type DrawSeeds = {
  /** 64 hexadecimal digits, drawn at random by the control plane. */
  readonly serverSeed: string
  readonly clientSeed: string
  readonly nonce: number
}

/** HMAC-SHA-256 of a text with a text as key, both as UTF-8; 32 bytes. */
export type Hmac = (key: string, message: string) => Uint8Array

const WORD_BYTES = 4
const WORDS = 2 ** 32
/** The probability that a round yields no ticket is below 10^-29, so this limit is never reached. */
const MAX_ROUNDS = 64

/** Whether a customer's seed is valid: 1 to 64 typeable ASCII characters, no colon. */
export const isClientSeed = (seed: unknown): seed is string => typeof seed === 'string' && /^[!-9;-~]{1,64}$/.test(seed)

/** The message of a round. */
export const drawMessage = ({ clientSeed, nonce }: Omit<DrawSeeds, 'serverSeed'>, round: number): string =>
  `${clientSeed}:${nonce}:${round}`

/**
 * The ticket from 0 to `total` - 1 in a round's 32 bytes, or undefined if every word is in the range that would favour
 * small tickets.
 */
export function ticketFrom(digest: Uint8Array, total: number): number | undefined {
  const limit = WORDS - (WORDS % total)
  const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
  for (let at = 0; at + WORD_BYTES <= digest.byteLength; at += WORD_BYTES) {
    const word = view.getUint32(at)
    if (word < limit) return word % total
  }
  return undefined
}

/** The prize whose weights contain a ticket. Throws RangeError for a ticket outside the wheel. */
export function prizeOfTicket<Prize extends Pick<WheelPrize, 'weight'>>(
  prizes: readonly Prize[],
  ticket: number,
): Prize {
  let above = 0
  for (const prize of prizes) {
    above += prize.weight
    if (ticket < above) return prize
  }
  throw new RangeError('the wheel has no such ticket')
}

export type Draw = { readonly ticket: number; readonly round: number; readonly prize: WheelPrize }

/** Draws a prize. The wheel must have passed `wheelFault`. */
export function drawPrize(prizes: readonly WheelPrize[], seeds: DrawSeeds, hmac: Hmac): Draw {
  const total = totalWeight(prizes)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const ticket = ticketFrom(hmac(seeds.serverSeed, drawMessage(seeds, round)), total)
    if (ticket !== undefined) return { ticket, round, prize: prizeOfTicket(prizes, ticket) }
  }
  throw new RangeError('no round had a ticket')
}

/** The stored record of a draw, shown to the customer; `prizes` as they were at the time. */
export type DrawRecord = DrawSeeds & {
  readonly serverSeedHash: string
  readonly prizes: readonly WheelPrize[]
  readonly ticket: number
  readonly prizeId: string
}

export type DrawVerdict =
  { readonly ok: true } | { readonly ok: false; readonly code: 'SEED_DIFFERS' | 'TICKET_DIFFERS' | 'PRIZE_DIFFERS' }

/** Browser cryptography is asynchronous, server cryptography is not; both are allowed. */
export type DrawCrypto = {
  readonly hmac: (key: string, message: string) => Uint8Array | Promise<Uint8Array>
  /** The hash of a text in UTF-8, as lower-case hexadecimal digits. */
  readonly sha256: (text: string) => string | Promise<string>
}

/** Verifies a draw: the seed matches the commitment, the ticket matches the seed, the prize matches the ticket. */
export async function verifyDraw(record: DrawRecord, crypto: DrawCrypto): Promise<DrawVerdict> {
  const { serverSeed, prizes } = record
  if ((await crypto.sha256(serverSeed)) !== record.serverSeedHash) return { ok: false, code: 'SEED_DIFFERS' }
  const total = totalWeight(prizes)
  let ticket: number | undefined
  for (let round = 0; ticket === undefined && round < MAX_ROUNDS; round += 1) {
    ticket = ticketFrom(await crypto.hmac(serverSeed, drawMessage(record, round)), total)
  }
  if (ticket === undefined || ticket !== record.ticket) return { ok: false, code: 'TICKET_DIFFERS' }
  return prizeOfTicket(prizes, ticket).id === record.prizeId ? { ok: true } : { ok: false, code: 'PRIZE_DIFFERS' }
}
