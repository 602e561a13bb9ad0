import { HandOverFailure, type HandOver, type InvoiceProvider } from '../../invoice-provider.ts'
import { readFound, readIssued, type AgentAnswer } from './szamlazz-answer.ts'
import { AGENT_FIELDS, createXml, externalIdOf, queryXml, stornoXml } from './szamlazz-xml.ts'

/** Signing takes the Agent long; a request given up earlier may still be issued. */
const TIMEOUT_MS = 60_000
/** A document without its PDF is far smaller. */
const MAX_ANSWER_BYTES = 512 * 1024

export type SzamlazzOptions = {
  readonly url: string
  /** Read each time, because staff may change it. Undefined while none is entered. */
  readonly agentKey: () => Promise<string | undefined>
  readonly timeoutMs?: number
}

/**
 * The Számlázz.hu Agent. It issues a document twice if it is sent twice, so it is first queried by our own id, and a
 * document that it has counts only with our number on it.
 */
export function szamlazzProvider(options: SzamlazzOptions): InvoiceProvider {
  return {
    name: 'szamlazz',
    handOver: async (order) => {
      const key = await options.agentKey()
      if (!key) throw new HandOverFailure('configuration', 'KEY_MISSING')
      const { document } = order
      const asked = await send(options, { field: 'query', xml: queryXml(key, externalIdOf(document)) })
      const found = readFound(asked)
      if (found) return adopt(found, order)
      const issue = issuing(key, order)
      if (!(await order.maySend())) throw new HandOverFailure('permanent', 'SENT_TOO_OFTEN')
      return { number: readIssued(await send(options, issue)) }
    },
  }
}

function adopt(found: NonNullable<ReturnType<typeof readFound>>, { document }: HandOver): { number: string } {
  // A storno repeats the order number of the document that it cancels.
  const expected = document.stornoOf?.number ?? document.number
  if (found.orderNumber !== expected) throw new HandOverFailure('permanent', 'ANOTHER_DOCUMENT')
  return { number: found.number }
}

function issuing(key: string, { document, originalNumber }: HandOver): AgentOrder {
  if (document.kind === 'invoice') return { field: 'create', xml: createXml(key, document) }
  if (originalNumber === null) throw new HandOverFailure('temporary', 'ORIGINAL_NOT_HANDED_OVER')
  if (document.kind === 'correction') return { field: 'create', xml: createXml(key, document, originalNumber) }
  return { field: 'storno', xml: stornoXml(key, document, originalNumber) }
}

type AgentOrder = { readonly field: keyof typeof AGENT_FIELDS; readonly xml: string }

async function send(
  { url, timeoutMs = TIMEOUT_MS }: SzamlazzOptions,
  { field, xml }: AgentOrder,
): Promise<AgentAnswer> {
  const form = new FormData()
  form.set(AGENT_FIELDS[field], new Blob([xml], { type: 'application/xml' }), 'request.xml')
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', body: form, redirect: 'error', signal })
    return { status: response.status, headers: response.headers, body: await readBody(response) }
  } catch (cause) {
    if (cause instanceof HandOverFailure) throw cause
    throw new HandOverFailure(field === 'query' ? 'temporary' : 'unknown', 'NO_ANSWER', { cause })
  }
}

async function readBody(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MAX_ANSWER_BYTES) throw new HandOverFailure('unknown', 'TOO_LONG')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
