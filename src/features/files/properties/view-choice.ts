export type EditorView = 'form' | 'text'

const KEY = 'bakter.files.view'

/** How the reader last looked at a file that has a form; a form at first. */
export const readViewChoice = (): EditorView => {
  try {
    return window.localStorage.getItem(KEY) === 'text' ? 'text' : 'form'
  } catch {
    return 'form'
  }
}

export const keepViewChoice = (view: EditorView): void => {
  try {
    window.localStorage.setItem(KEY, view)
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}
