import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StripeBooks } from './stripe-books.ts'
import { browserScript, CHALLENGE_PAGE, EXPRESS_FRAME, PAYMENT_FRAME } from './stripe-browser-script.ts'
import { StripeRefusal } from './stripe-form.ts'

type Pages = { readonly books: StripeBooks; readonly hasScript: boolean; readonly baseUrl: string }

const send = (response: ServerResponse, status: number, body: string, type = 'text/html; charset=utf-8'): void => {
  // Without this header a page of another origin may not use the response.
  response.writeHead(status, { 'content-type': type, 'cross-origin-resource-policy': 'cross-origin' })
  response.end(body)
}

const readAnswer = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return new URLSearchParams(body)
}

/** The parts of Stripe that a browser sees: its script, the frames of its fields, and the bank's page. */
export async function answerPage(pages: Pages, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname: path } = new URL(request.url ?? '/', pages.baseUrl)
  const challenge = /^\/3ds\/(challenge_[0-9a-f]+)$/.exec(path)?.[1]
  if (path === '/stripe.js') {
    if (pages.hasScript) return send(response, 200, browserScript(pages.baseUrl), 'text/javascript')
    return send(response, 503, '', 'text/plain')
  }
  if (path === '/elements/payment') return send(response, 200, PAYMENT_FRAME)
  if (path === '/elements/expressCheckout') return send(response, 200, EXPRESS_FRAME)
  if (challenge === undefined || !pages.books.challenges.has(challenge)) return send(response, 404, '')
  if (request.method !== 'POST') return send(response, 200, CHALLENGE_PAGE)
  try {
    const isPassed = (await readAnswer(request)).get('answer') === 'yes'
    response.writeHead(303, { location: pages.books.answerChallenge(challenge, isPassed).href })
    response.end()
  } catch (error) {
    send(response, error instanceof StripeRefusal ? error.status : 500, String(error))
  }
}
