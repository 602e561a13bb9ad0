import { finishFor } from './answer-headers.ts'
import type { Answered, HeaderSettings } from './answer-headers.ts'
import { apiRefusal } from './api-refusal.ts'
import { cardOrigins, isCardPage } from './card-page.ts'
import { chooseEncoding } from './compression.ts'
import { cardPolicy, developmentPolicy, pagePolicy } from './content-security-policy.ts'
import type { OutgoingCaches, OutgoingRules } from './outgoing.ts'
import type { Routing } from './page-routing.ts'
import { markedStatus } from './page-status.ts'
import { giveNonce } from './script-nonce.ts'

export type RuleSettings = HeaderSettings & { readonly isDevelopment: boolean }

const NO_HASHES = { scripts: [], styles: [], styleAttributes: [] }

const policyFor = (routing: Routing, settings: RuleSettings): OutgoingRules['policy'] => {
  const options = { connect: settings.nodeOrigins.current(), isSecure: settings.isSecure }
  if (routing.kind === 'admin' || routing.kind === 'mails') return null
  const ofCard = isCardPage(routing) ? cardOrigins(settings.stripeScriptUrl) : null
  if (settings.isDevelopment) return () => developmentPolicy(options, ofCard ?? undefined)
  if (ofCard) return (hashes) => cardPolicy(hashes ?? NO_HASHES, options, ofCard)
  return (hashes) => pagePolicy(hashes ?? NO_HASHES, options)
}

// A chunk's query does not change it: otherwise each variant would be compressed and cached separately.
const chunkOf = (url = '/') => (url.startsWith('/_next/static/') ? (url.split('?')[0] ?? null) : null)

/** Policy, headers and compression of a response. */
export const rulesFor = (answered: Answered, settings: RuleSettings, caches: OutgoingCaches): OutgoingRules => {
  const { request, routing, requestId } = answered
  const nonce = routing.kind === 'admin' && !settings.isDevelopment ? giveNonce(request) : undefined
  return {
    caches,
    encoding: settings.isDevelopment ? null : chooseEncoding(request.headers['accept-encoding']),
    immutableKey: settings.isDevelopment ? null : chunkOf(request.url),
    finish: finishFor({ request, routing, requestId, nonce }, settings),
    policy: policyFor(routing, settings),
    ...(routing.kind === 'api' ? { replace: apiRefusal(requestId) } : {}),
    ...(routing.kind === 'page' ? { statusOf: markedStatus } : {}),
  }
}
