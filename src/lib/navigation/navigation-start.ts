const eventName = 'bakter:navigation'

/** Called by the framework's hook when a navigation within the site begins, whatever began it. */
export const tellNavigation = (url: string): void => {
  window.dispatchEvent(new CustomEvent(eventName, { detail: url }))
}

/** Calls `hear` with the address of each navigation that begins. Returns the unsubscribe function. */
export const onNavigationStart = (hear: (url: URL) => void): (() => void) => {
  const onStart = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') {
      hear(new URL(event.detail, window.location.href))
    }
  }
  window.addEventListener(eventName, onStart)
  return () => window.removeEventListener(eventName, onStart)
}

/** Calls `hear` for each navigation to another address. Returns the unsubscribe function. */
export const onNavigation = (hear: () => void): (() => void) =>
  onNavigationStart(({ pathname, search }) => {
    if (pathname !== window.location.pathname || search !== window.location.search) hear()
  })
