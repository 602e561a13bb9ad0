/** The fallback without a clipboard API: briefly selects the text. Selection and focus are restored. */
const copySelected = (text: string): boolean => {
  const focused = document.activeElement
  const selection = document.getSelection()
  const marked = selection && selection.rangeCount > 0 ? selection.getRangeAt(0).cloneRange() : null
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'vh'
  // Whitespace is copied as it is displayed.
  area.style.whiteSpace = 'pre'
  // Elements behind an open dialog cannot take the focus.
  const host = focused?.closest('dialog') ?? document.body
  host.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    if (marked) {
      selection?.removeAllRanges()
      selection?.addRange(marked)
    }
  }
}

/**
 * Copies a text to the clipboard; false when the browser refuses. Pages without https have no clipboard API, and with
 * it the browser may refuse: both use the fallback. Call it directly in the handler of a user gesture.
 */
export const copyText = async (text: string): Promise<boolean> => {
  if (!('clipboard' in navigator)) return copySelected(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}
