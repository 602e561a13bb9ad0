/**
 * The stand-in for Stripe's script: the part of its surface that the card page uses. Fields and wallets are frames of
 * the emulator's own origin, as Stripe's are, so that the page's policy is tested as well.
 */
export const browserScript = (baseUrl: string): string => `(() => {
  const base = ${JSON.stringify(baseUrl)}
  const ask = async (key, path, fields) => {
    const isRead = fields === undefined
    const answer = await fetch(base + path, {
      method: isRead ? 'GET' : 'POST',
      headers: { authorization: 'Bearer ' + key },
      ...(isRead ? {} : { body: new URLSearchParams(fields) }),
    })
    return answer.json()
  }
  const intentId = (clientSecret) => clientSecret.split('_secret_')[0]
  const pathOf = (clientSecret) => '/v1/payment_intents/' + intentId(clientSecret)

  const createElement = (kind, context) => {
    const heard = {}
    const tell = (name, event) => (heard[name] || []).forEach((listener) => listener(event))
    const frame = document.createElement('iframe')
    frame.title = kind === 'payment' ? 'Secure payment input frame' : 'Secure express checkout frame'
    frame.src = base + '/elements/' + kind
    frame.name = '__privateStripeFrame-' + kind
    frame.allow = 'payment *'
    frame.setAttribute('style', 'border:0;width:100%;height:' + (kind === 'payment' ? '220px' : '60px'))
    const element = {
      fields: {},
      on: (name, listener) => { (heard[name] = heard[name] || []).push(listener); return element },
      mount: (place) => (typeof place === 'string' ? document.querySelector(place) : place).append(frame),
      unmount: () => frame.remove(),
      destroy: () => { frame.remove(); window.removeEventListener('message', listen) },
    }
    const listen = (message) => {
      if (message.origin !== base || message.source !== frame.contentWindow) return
      const { name, ...event } = message.data
      if (name === 'fields') element.fields = event.fields
      else if (name === 'wallet') {
        context.wallet = event.method
        tell('confirm', { expressPaymentType: event.type, paymentFailed: () => {} })
      } else tell(name, { elementType: kind, ...event })
    }
    window.addEventListener('message', listen)
    frame.addEventListener('error', () => tell('loaderror', { elementType: kind, error: { message: 'no frame' } }))
    return element
  }

  window.Stripe = (key) => ({
    elements: ({ clientSecret }) => {
      const context = { clientSecret, wallet: null, made: {} }
      return {
        context,
        create: (kind) => (context.made[kind] = createElement(kind, context)),
        getElement: (kind) => context.made[kind] || null,
        update: () => {},
        submit: async () => {
          if (context.wallet) return {}
          const number = context.made.payment?.fields.number || ''
          return number === ''
            ? { error: { type: 'validation_error', code: 'incomplete_number', message: 'Your card number is incomplete.' } }
            : {}
        },
      }
    },
    retrievePaymentIntent: async (clientSecret) => {
      const intent = await ask(key, pathOf(clientSecret) + '?client_secret=' + clientSecret)
      return intent.error ? { error: intent.error } : { paymentIntent: intent }
    },
    confirmPayment: async ({ elements, confirmParams, redirect }) => {
      const { clientSecret, wallet, made } = elements.context
      elements.context.wallet = null
      const method = wallet
        ? { payment_method: wallet }
        : { 'payment_method_data[type]': 'card', 'payment_method_data[card][number]': made.payment.fields.number }
      const intent = await ask(key, pathOf(clientSecret) + '/confirm', {
        client_secret: clientSecret, return_url: confirmParams.return_url, ...method,
      })
      if (intent.error) return { error: intent.error }
      const next = intent.next_action && intent.next_action.redirect_to_url
      if (next) { window.location.href = next.url; return new Promise(() => {}) }
      if (redirect === 'if_required') return { paymentIntent: intent }
      window.location.href = confirmParams.return_url
      return new Promise(() => {})
    },
  })
})()
`

/** The frame with the card's fields: it forwards the typed values. */
export const PAYMENT_FRAME = `<!doctype html><html lang="en"><title>Card</title><body>
<label>Card number <input id="number" inputmode="numeric" autocomplete="cc-number"></label>
<label>Expiry <input id="expiry" autocomplete="cc-exp"></label>
<label>CVC <input id="cvc" autocomplete="cc-csc"></label>
<script>
  const tell = (message) => window.parent.postMessage(message, '*')
  document.addEventListener('input', () => {
    const number = document.getElementById('number').value.replaceAll(' ', '')
    tell({ name: 'fields', fields: { number } })
    tell({ name: 'change', complete: number.length === 16, empty: number === '' })
  })
  tell({ name: 'ready' })
</script></body></html>`

/** The frame with the wallets' buttons. */
export const EXPRESS_FRAME = `<!doctype html><html lang="en"><title>Wallets</title><body>
<button data-type="apple_pay">Apple Pay</button> <button data-type="google_pay">Google Pay</button>
<script>
  const tell = (message) => window.parent.postMessage(message, '*')
  for (const button of document.querySelectorAll('button')) {
    const { type } = button.dataset
    button.addEventListener('click', () => tell({ name: 'wallet', type, method: 'pm_wallet_' + type }))
  }
  tell({ name: 'ready', availablePaymentMethods: { applePay: true, googlePay: true } })
</script></body></html>`

/** The bank's page of 3-D Secure. */
export const CHALLENGE_PAGE = `<!doctype html><html lang="en"><title>3-D Secure</title><body>
<h1>Your bank asks: is it you?</h1>
<form method="post"><button name="answer" value="yes">Complete</button> <button name="answer" value="no">Fail</button></form>
</body></html>`
