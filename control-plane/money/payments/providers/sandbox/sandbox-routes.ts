import { Hono, type Context as Request } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import { LOCALES, type Locale } from '#contracts/locale.ts'
import type { Context } from '../../../../platform/context.ts'
import { sandboxMissingPage, sandboxPage, sandboxPolicy } from './sandbox-page.ts'
import { decideSandboxPayment, findSandboxPayment, SANDBOX_DECISIONS, type SandboxPayment } from './sandbox-provider.ts'

/** The form has one short field. */
const MAX_FORM_BYTES = 4096

const PAYMENT_ID = /^[0-9a-f]{48}$/
const Decision = z.enum(SANDBOX_DECISIONS)

/** The result in the return address: the state of the payment, unchanged by a button pressed too late. */
const RESULT: Readonly<Record<SandboxPayment['state'], string>> = {
  succeeded: 'success',
  failed: 'failed',
  cancelled: 'cancelled',
  waiting: 'processing',
}

export type SandboxRoutes = {
  readonly context: Context
  /** Tells the core about news of a payment, as a provider's webhook does. */
  readonly onHint: (providerPaymentId: string) => Promise<void>
}

/** The sandbox's own site: a page for each payment, and the handler of its buttons. */
export function sandboxRoutes({ context, onHint }: SandboxRoutes): Hono {
  const routes = new Hono()
  const find = (request: Request): Promise<SandboxPayment | undefined> => {
    const id = request.req.param('id') ?? ''
    return PAYMENT_ID.test(id) ? findSandboxPayment(context, id) : Promise.resolve(undefined)
  }
  routes.get('/:id', async (request) => {
    const payment = await find(request)
    return answer(request, payment, payment ? sandboxPage(payment) : sandboxMissingPage(localeOf(request)))
  })
  routes.post('/:id', bodyLimit({ maxSize: MAX_FORM_BYTES }), async (request) => {
    const payment = await find(request)
    if (!payment) return answer(request, payment, sandboxMissingPage(localeOf(request)))
    if (!isOwnForm(request)) return request.text('', 403)
    const decision = Decision.safeParse((await request.req.parseBody())['decision'])
    if (!decision.success) return request.text('', 403)
    const state = await decideSandboxPayment(context, { id: payment.id, decision: decision.data })
    // The customer returns at once; the reconciler repairs any failure here.
    await onHint(payment.id).catch((error: unknown) => {
      context.log.warn({ reason: String(error) }, 'a decided payment could not be looked at yet')
    })
    const target = new URL(payment.returnUrl)
    target.searchParams.set('transaction', payment.reference)
    target.searchParams.set('result', RESULT[state])
    request.header('cache-control', 'no-store')
    request.header('content-security-policy', sandboxPolicy(payment.returnUrl))
    return request.redirect(target.href, 303)
  })
  return routes
}

function answer(request: Request, payment: SandboxPayment | undefined, html: string): Response {
  request.header('content-security-policy', sandboxPolicy(payment?.returnUrl))
  request.header('cache-control', 'no-store')
  request.header('x-content-type-options', 'nosniff')
  // `same-origin` and not `no-referrer`, with which browsers send `Origin: null` with the form.
  request.header('referrer-policy', 'same-origin')
  return request.html(html, payment ? 200 : 404)
}

/** Whether the page itself sent the form. Browsers state it in one of two headers; other programs send neither. */
function isOwnForm(request: Request): boolean {
  const site = request.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = request.req.header('origin')
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === request.req.header('host')
}

function localeOf(request: Request): Locale {
  const asked = request.req.header('accept-language')?.slice(0, 2).toLowerCase()
  return LOCALES.find((locale) => locale === asked) ?? 'en'
}
