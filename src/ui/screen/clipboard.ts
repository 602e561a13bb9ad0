/**
 * The way before there was a clipboard of its own: a text that is selected for a moment. What was marked and who had the
 * focus is as before.
 */
const copySelected = (text: string): boolean => {
  const focused = document.activeElement
  const selection = document.getSelection()
  const marked = selection && selection.rangeCount > 0 ? selection.getRangeAt(0).cloneRange() : null
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'vh'
  // What is copied is what is drawn: blanks in a row are blanks in a row.
  area.style.whiteSpace = 'pre'
  // Behind an open dialog nothing takes the focus.
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
 * Puts a text on the clipboard; false when the browser lets nothing do that. A page without https has no clipboard, and one
 * with it may be refused: both fall back. To be called at once when something is pressed.
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
