'use client'
import { useLocale } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { CardPageParameters } from '#contracts/http/card-page.ts'
import { loadStripe } from './stripe-script.ts'
import type { StripeBrowser, StripeElements } from './stripe-script.ts'

export type CardFields = {
  readonly stripe: StripeBrowser
  readonly elements: StripeElements
}

type Place = RefObject<HTMLDivElement | null>
type Asked = { parameters: CardPageParameters; secret: string; card: Place; wallets: Place; onWallet: () => void }

/** The page's own colours and fonts for the fields, which are in a frame of the provider. */
const appearance = (): object => {
  const of = getComputedStyle(document.documentElement)
  const token = (name: string) => of.getPropertyValue(`--color-${name}`).trim()
  return {
    theme: 'night',
    variables: {
      colorBackground: token('s2'),
      colorText: token('bone'),
      colorTextSecondary: token('text-2'),
      colorPrimary: token('link'),
      colorDanger: token('stop-text'),
      borderRadius: '4px',
    },
  }
}

/** Loads the provider's script and mounts its fields. `hasWallets` once the browser has one of them. */
export const useCardFields = ({ parameters, secret, card, wallets, onWallet }: Asked) => {
  const locale = useLocale()
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [hasWallets, setHasWallets] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const held = useRef<CardFields | null>(null)
  const wallet = useRef(onWallet)
  useEffect(() => {
    wallet.current = onWallet
  })
  const { publishableKey, scriptUrl } = parameters
  useEffect(() => {
    let isOver = false
    let clear = () => {}
    const show = async () => {
      const create = await loadStripe(scriptUrl)
      if (isOver || !card.current || !wallets.current) return
      const stripe = create(publishableKey, { locale })
      const elements = stripe.elements({ clientSecret: secret, locale, appearance: appearance() })
      const express = elements.create('expressCheckout', { buttonHeight: 44 })
      const fields = elements.create('payment', { layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never' } })
      clear = () => {
        express.destroy()
        fields.destroy()
      }
      express.on('ready', ({ availablePaymentMethods }) => setHasWallets(Boolean(availablePaymentMethods)))
      express.on('confirm', () => wallet.current())
      fields.on('ready', () => setState('ready')).on('loaderror', () => setState('failed'))
      express.mount(wallets.current)
      fields.mount(card.current)
      held.current = { stripe, elements }
    }
    show().catch(() => {
      if (!isOver) setState('failed')
    })
    return () => {
      isOver = true
      clear()
      held.current = null
    }
  }, [attempt, card, locale, publishableKey, scriptUrl, secret, wallets])
  const retry = () => {
    setState('loading')
    setAttempt((count) => count + 1)
  }
  return { state, hasWallets, held, retry }
}
