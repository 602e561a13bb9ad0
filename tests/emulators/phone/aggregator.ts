import { createHmac } from 'node:crypto'

/** An aggregator's report of one message of a customer. */
export type AggregatorMessage = {
  messageId: string
  kind: 'premium-sms' | 'premium-call'
  state: 'received' | 'rejected' | 'billed' | 'charged_back'
  text: string
  grossFt: number
  forwardedFt: number
  currency: string
  senderTail: string
}

export type SignedRequest = {
  readonly headers: Record<string, string>
  readonly query: Record<string, string>
  readonly body: string
}

export type Aggregator = {
  /** A customer's message; by default it paid 1905 Ft, of which 800 are forwarded. */
  message(changes: Partial<AggregatorMessage> & { text: string }): AggregatorMessage
  /** The request that reports it, signed now by every secret of the aggregator. */
  sign(message: object, options?: { atMs?: number; secrets?: readonly string[] }): SignedRequest
  /** Sends a request to the shop and returns its status. */
  deliver(url: string, request: SignedRequest): Promise<number>
}

/** An aggregator of premium messages: it signs, repeats, reorders, and takes money back weeks later. */
export function aggregator({ secrets, now }: { secrets: readonly string[]; now: () => number }): Aggregator {
  let count = 0
  return {
    message: (changes) => ({
      messageId: `sms-${now()}-${(count += 1)}`,
      kind: 'premium-sms',
      state: 'billed',
      grossFt: 1905,
      forwardedFt: 800,
      currency: 'HUF',
      senderTail: '567',
      ...changes,
    }),
    sign: (message, options = {}) => {
      const body = JSON.stringify(message)
      const seconds = Math.floor((options.atMs ?? now()) / 1000)
      const signatures = (options.secrets ?? secrets).map(
        (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
      )
      return { headers: { 'x-signature': [`t=${seconds}`, ...signatures].join(',') }, query: {}, body }
    },
    deliver: async (url, { headers, body }) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      return answer.status
    },
  }
}
