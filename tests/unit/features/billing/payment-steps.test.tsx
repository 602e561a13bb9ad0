import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PaymentSteps } from '@/features/billing/payment-steps.tsx'
import { TariffChoice } from '@/features/billing/tariff-choice.tsx'
import { ToastProvider } from '@/ui/surfaces/toast.tsx'
import en from '../../../../src/messages/en.json' with { type: 'json' }
import hu from '../../../../src/messages/hu.json' with { type: 'json' }

const catalogs = { en, hu }
const shown = (locale: 'en' | 'hu', page: React.ReactNode): string =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={catalogs[locale]} timeZone="UTC">
      <ToastProvider closeLabel="Close">{page}</ToastProvider>
    </NextIntlClientProvider>,
  ).replaceAll(/[\u00A0\u202F]/g, ' ')

const step = {
  kind: 'premium-sms',
  number: '06-90-888-333',
  text: 'BAKTER ACDEFGHJ',
  paidFt: 1905,
  creditedFt: 800,
} as const

test('the phone tells what is paid and what arrives before anything is sent: 1905 Ft give 800', () => {
  const tariff = { kind: 'premium-sms', paidFt: 1905, creditedFt: 800, number: '06-90-888-333' } as const
  const page = shown('hu', <TariffChoice tariffs={[tariff]} chosen={tariff} onChoose={() => {}} />)
  expect(page).toMatch(/Fizetendő: 1\s905\sFt/)
  expect(page).toMatch(/Az egyenlegedre kerül: 800\sFt/)
})

test.each(['premium-sms', 'premium-call'] as const)(
  'the instructions of %s name number, text and both figures',
  (kind) => {
    const page = shown('en', <PaymentSteps step={{ ...step, kind }} paymentId="p" />)
    for (const part of [step.number, step.text, '800']) expect(page).toContain(part)
    expect(page).toMatch(/1,?905/)
  },
)

test.each([
  [
    { kind: 'redirect', url: 'https://secure.barion.com/Pay?id=1' } as const,
    'href="https://secure.barion.com/Pay?id=1"',
  ],
  [
    {
      kind: 'page',
      path: '/dashboard/balance/card',
      parameters: { publishableKey: 'pk', scriptUrl: 'https://js.stripe.com/x.js' },
      secret: 's3cret',
    } as const,
    '/dashboard/balance/card?transaction=p',
  ],
])('an open payment can be gone on with: %o', (next, target) => {
  const page = shown('en', <PaymentSteps step={next} paymentId="p" />)
  expect(page).toContain(target)
  expect(page).not.toContain('s3cret')
})
