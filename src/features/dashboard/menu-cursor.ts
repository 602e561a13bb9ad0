/**
 * The place from which the keys of the menu move on: the one that is being opened, else the open one. A key pressed
 * while a page is on its way counts from that page.
 */
export const createMenuCursor = () => {
  let opening: readonly string[] = []
  return {
    /** A navigation to this path begins, whatever began it. */
    begin: (path: string) => {
      // A filter in the address is a navigation for each key typed, and opens no other page.
      if (opening.at(-1) !== path) opening = [...opening, path]
    },
    /** This path is open. Later navigations are still on their way; a path that none asked for ends them all. */
    arrive: (path: string) => {
      const at = opening.lastIndexOf(path)
      opening = at === -1 ? [] : opening.slice(at + 1)
    },
    place: (open: string): string => opening.at(-1) ?? open,
  }
}
