import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PaypalBooks, PaypalConduct } from './paypal-books.ts'

const PAGE = `<!doctype html><html lang="en"><title>PayPal</title><body><h1>Pay with PayPal</h1><form method="post">
<button name="conduct" value="paid">Complete purchase</button>
<button name="conduct" value="pending">Pay, and let PayPal review it</button>
<button name="conduct" value="declined">Pay, and let the capture be declined</button>
<button name="conduct" value="instrument declined">Pay with a card that is declined</button>
<button name="conduct" value="cancel">Cancel and return</button></form></body></html>`

const CONDUCTS: readonly PaypalConduct[] = ['paid', 'pending', 'declined', 'instrument declined']

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return new URLSearchParams(body)
}

/** PayPal's own page, on which the customer agrees or cancels. */
export async function answerCheckout(
  books: PaypalBooks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://paypal.test')
  const id = searchParams.get('token') ?? ''
  if (!books.orders.has(id)) {
    response.writeHead(404).end()
  } else if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
  } else {
    const asked = (await readForm(request)).get('conduct')
    const conduct = CONDUCTS.find((one) => one === asked)
    const back = conduct === undefined ? books.cancel(id) : books.approve(id, conduct)
    response.writeHead(303, { location: back.href }).end()
  }
}
