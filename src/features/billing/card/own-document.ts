import { CARD_PAGE_PATH } from '#contracts/http/card-page.ts'

const isCardPath = (address: string): boolean =>
  new URL(address, window.location.href).pathname.endsWith(CARD_PAGE_PATH)

/** The address from which the browser loaded this document; pages shown later by the router keep its policy. */
const documentAddress = (): string => performance.getEntriesByType('navigation')[0]?.name ?? window.location.href

/** Whether the document was loaded as the card page, with the policy that allows the provider's script. */
export const isOwnDocument = (): boolean => isCardPath(documentAddress())

const ownLink = (event: MouseEvent): HTMLAnchorElement | null => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const leaves = link && link.origin === window.location.origin && link.target === '' && !isCardPath(link.href)
  return leaves ? link : null
}

/**
 * Makes every link on this page a full page load, so that the provider's script and the wider policy stay with this
 * document. Returns the cleanup function.
 */
export const leaveByLoading = (): (() => void) => {
  const onClick = (event: MouseEvent) => {
    const link = ownLink(event)
    if (!link) return
    event.preventDefault()
    event.stopPropagation()
    window.location.assign(link.href)
  }
  document.addEventListener('click', onClick, true)
  return () => document.removeEventListener('click', onClick, true)
}

/** The parameters of the bank's redirect, removed from the address, because they contain the payment's secret. */
export const takeReturn = (): { transaction: string | null; hasFailed: boolean } => {
  const { search, pathname } = window.location
  const asked = new URLSearchParams(search)
  const transaction = asked.get('transaction')
  const hasFailed = asked.get('redirect_status') === 'failed'
  if (asked.has('payment_intent_client_secret') && transaction !== null) {
    // Not through the router, which would request the page again.
    window.history.replaceState(window.history.state, '', `${pathname}?transaction=${encodeURIComponent(transaction)}`)
  }
  return { transaction, hasFailed }
}
