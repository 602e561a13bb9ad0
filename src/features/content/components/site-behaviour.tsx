'use client'
import { useEffect } from 'react'
import { isLocale } from '@/i18n/locales.ts'
import { localePath, splitLocale } from '@/i18n/negotiate.ts'
import { switchLanguage } from '@/i18n/switch-language.ts'

/** A reader of a prefixed page stays in its language: unprefixed links get the prefix of the current address. */
const keepPrefix = (link: HTMLAnchorElement) => {
  const href = link.getAttribute('href') ?? ''
  const here = splitLocale(window.location.pathname).locale
  if (here === null || !href.startsWith('/') || /^\/(?:\/|api\/|admin)/.test(href)) return
  const [path = '', hash] = href.split('#')
  if (splitLocale(path).locale !== null) return
  link.setAttribute('href', localePath(here, path === '' ? '/' : path) + (hash === undefined ? '' : `#${hash}`))
}

/** Keeps the requested page when switching between signing in and registering. */
const keepNext = (link: HTMLAnchorElement) => {
  const next = new URLSearchParams(window.location.search).get('next')
  const href = link.getAttribute('href') ?? ''
  if (next !== null && /^(?:\/[a-z]{2})?\/auth\/(?:login|register)$/.test(href)) {
    link.setAttribute('href', `${href}?next=${encodeURIComponent(next)}`)
  }
}

const closeLanguageMenus = (except?: Element | null) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.lang[open]')) {
    if (menu !== except) menu.open = false
  }
}

/** Fallback for browsers without invoker commands, to open and close the overlay menu. */
const runCommand = (target: Element) => {
  const button = target.closest<HTMLButtonElement>('button[commandfor]')
  if (!button || 'commandForElement' in HTMLButtonElement.prototype) return
  const dialog = document.getElementById(button.getAttribute('commandfor') ?? '')
  if (!(dialog instanceof HTMLDialogElement)) return
  if (button.getAttribute('command') === 'close') dialog.close()
  else dialog.showModal()
}

const onClick = (event: MouseEvent) => {
  if (!(event.target instanceof Element)) return
  runCommand(event.target)
  closeLanguageMenus(event.target.closest('details.lang'))
  const link = event.target.closest<HTMLAnchorElement>('a[href]')
  if (!link) return
  const locale = link.dataset['locale']
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (isLocale(locale) && plain) {
    event.preventDefault()
    switchLanguage(locale, link.dataset['own'] === undefined ? undefined : link.href)
    return
  }
  keepPrefix(link)
  keepNext(link)
  // The mobile menu closes after a click (specification section 2).
  link.closest<HTMLDialogElement>('dialog.omenu')?.close()
}

const onKeyDown = (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return
  const open = document.querySelector<HTMLDetailsElement>('details.lang[open]')
  if (!open) return
  open.open = false
  open.querySelector('summary')?.focus()
}

/** Everything the server-rendered frame needs from the browser: languages, the overlay menu and closing open parts. */
export const SiteBehaviour = () => {
  useEffect(() => {
    document.addEventListener('click', onClick, true)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('click', onClick, true)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
  return null
}
