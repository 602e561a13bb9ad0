/** The realtime link of a page whose test replaces `open-link` with this file: what it brings is what the test lets it hear. */
export const link = { hear: (_message: unknown): void => {} }

export const openLink = (hear: (message: unknown) => void) => {
  link.hear = hear
  return { link: { say: () => {} }, close: () => {} }
}
