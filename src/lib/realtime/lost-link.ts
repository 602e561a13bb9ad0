import { sendBrowserReport } from '@/lib/errors/browser-report.ts'

/**
 * The link does not come back: one line in the browser's console, for its reader, and one in the site's log by the error
 * report.
 */
export const tellOfLostLink = (text: string): void => {
  // The one line that the specification wants in the console of a browser.
  window.console.warn(text)
  sendBrowserReport(Object.assign(new Error(text), { name: 'LinkLost' }), window.location.pathname)
}
