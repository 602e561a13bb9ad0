export type PressedKey = Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'getModifierState'>

/**
 * Whether a press is Alt and this key alone. The key is meant by its place (`event.code`), and AltGraph is another key: Alt+Q
 * leaves the Hungarian AltGr+Q, a backslash, to the writer.
 */
export const isAltWith = (event: PressedKey, code: string): boolean =>
  event.code === code && event.altKey && !event.ctrlKey && !event.metaKey && !event.getModifierState('AltGraph')

/** Something is being written there: no shortcut of the page takes a key from it. */
export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
