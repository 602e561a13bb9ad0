export type PressedKey = Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'getModifierState'>

/**
 * Whether a key press is exactly Alt and this key. The key is identified by its position (`event.code`), and AltGraph
 * is another key: Alt+Q leaves the Hungarian AltGr+Q, a backslash, to the writer.
 */
export const isAltWith = (event: PressedKey, code: string): boolean =>
  event.code === code && event.altKey && !event.ctrlKey && !event.metaKey && !event.getModifierState('AltGraph')

/** The reader is typing there: page shortcuts must not take its keys. */
export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
