import { createHash } from 'node:crypto'
import type { Locale } from '#contracts/locale.ts'
import { formatMoney } from '#domain/billing/money-text.ts'
import { SANDBOX_DECISIONS, type SandboxDecision, type SandboxPayment } from './sandbox-provider.ts'
import { SANDBOX_TEXTS } from './sandbox-texts.ts'

/** Colours of the design language, chosen for contrast. */
const STYLE = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;background:#101015;color:#f2f0ea;
font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:24px;background:#17171e;border:1px solid #3a3a46;border-radius:8px}
h1{margin:0 0 8px;font-size:26px;line-height:30px;font-weight:680}
p{margin:0 0 16px;color:#b9b7b0}
dl{display:flex;justify-content:space-between;gap:16px;margin:0 0 24px;padding:16px 0;border-block:1px solid #3a3a46}
dt{color:#b9b7b0}
dd{margin:0;font-size:20px;font-weight:620;font-variant-numeric:tabular-nums}
form{display:grid;gap:8px}
button,a{display:block;width:100%;min-height:44px;padding:10px 16px;border:1px solid #747480;border-radius:4px;
background:transparent;color:#f2f0ea;font:inherit;text-align:center;text-decoration:none;cursor:pointer}
button[value=succeed]{border-color:#f2f0ea;background:#f2f0ea;color:#101015;font-weight:620}
button:hover,a:hover{background:#272732}
button[value=succeed]:hover{background:#dad8d2}
:focus-visible{outline:2px solid #9db8ff;outline-offset:2px}`

const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/**
 * The page's policy: no scripts, one style. The form's response redirects to the site, and browsers apply `form-action`
 * to that redirect too, so it includes the site's origin.
 */
export function sandboxPolicy(returnUrl: string | undefined): string {
  const targets = returnUrl ? `'self' ${new URL(returnUrl).origin}` : "'none'"
  return `default-src 'none'; style-src ${STYLE_HASH}; form-action ${targets}; frame-ancestors 'none'; base-uri 'none'`
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`)

function page(locale: Locale, content: string): string {
  const { title } = SANDBOX_TEXTS[locale]
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${escape(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escape(title)}</h1>${content}</main></body></html>`
}

const button = (locale: Locale, decision: SandboxDecision): string =>
  `<button name="decision" value="${decision}">${escape(SANDBOX_TEXTS[locale].buttons[decision])}</button>`

/** The payment page: its amount and, while it is open, a button for each outcome. */
export function sandboxPage(payment: SandboxPayment): string {
  const { locale, amountFt, state, returnUrl } = payment
  const texts = SANDBOX_TEXTS[locale]
  const amount = `<dl><dt>${escape(texts.amount)}</dt><dd>${formatMoney(amountFt, locale)}</dd></dl>`
  const open = state === 'waiting' || state === 'failed'
  if (!open) {
    return page(
      locale,
      `<p>${escape(texts.decided)}</p>${amount}<a href="${escape(returnUrl)}">${escape(texts.back)}</a>`,
    )
  }
  const buttons = SANDBOX_DECISIONS.map((decision) => button(locale, decision)).join('')
  return page(locale, `<p>${escape(texts.note)}</p>${amount}<form method="post">${buttons}</form>`)
}

export function sandboxMissingPage(locale: Locale): string {
  return page(locale, `<p>${escape(SANDBOX_TEXTS[locale].missing)}</p>`)
}
