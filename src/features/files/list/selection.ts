/** The choice in a list of names. `at` is where the keyboard is, `anchor` where a range began. */
export type Selection = {
  readonly chosen: ReadonlySet<string>
  readonly at: string | null
  readonly anchor: string | null
}

/** The reader's wish for a list of which not everything is read: all of it, its end, or all up to there. */
export type Beyond = 'all' | 'end' | 'up-to-end'

export const nothing: Selection = { chosen: new Set(), at: null, anchor: null }

/** Only this one. */
export const only = (name: string): Selection => ({ chosen: new Set([name]), at: name, anchor: name })

/** The others stay; this one changes. */
export const toggled = ({ chosen }: Selection, name: string): Selection => {
  const next = new Set(chosen)
  if (!next.delete(name)) next.add(name)
  return { chosen: next, at: name, anchor: name }
}

/** Everything between the anchor and this one, in the order of the list. */
export const upTo = (names: readonly string[], { anchor }: Selection, name: string): Selection => {
  const [one, other] = [names.indexOf(anchor ?? name), names.indexOf(name)]
  if (one < 0 || other < 0) return only(name)
  return {
    chosen: new Set(names.slice(Math.min(one, other), Math.max(one, other) + 1)),
    at: name,
    anchor: anchor ?? name,
  }
}

export const everything = (names: readonly string[], { at }: Selection): Selection => ({
  chosen: new Set(names),
  at: at ?? names[0] ?? null,
  anchor: names[0] ?? null,
})

/** The keyboard moves by so many rows; it stops at both ends. `extends` chooses everything on the way. */
export const stepped = (
  names: readonly string[],
  selection: Selection,
  { by, extends: isExtending }: { readonly by: number; readonly extends: boolean },
): Selection => {
  if (names.length === 0) return nothing
  // Without a place the keyboard comes from the far end, and Home and End mean what they say.
  const here = selection.at === null ? (by === 1 ? -1 : by === -1 ? names.length : 0) : names.indexOf(selection.at)
  const place = Math.min(names.length - 1, Math.max(0, here + by))
  const name = names[place] ?? ''
  return isExtending ? upTo(names, selection, name) : only(name)
}

/** The next name that begins so, after the one where the keyboard is, and from the beginning again. */
export const typed = (names: readonly string[], { at }: Selection, text: string): string | undefined => {
  const wanted = text.toLocaleLowerCase()
  // While one letter is repeated, or a word is begun, the search moves on; while it is typed on, it may stay.
  const from = at === null ? 0 : names.indexOf(at) + (wanted.length === 1 ? 1 : 0)
  const ordered = [...names.slice(from), ...names.slice(0, from)]
  return ordered.find((name) => name.toLocaleLowerCase().startsWith(wanted))
}

/** Names that are gone are no longer chosen. */
export const present = (names: readonly string[], selection: Selection): Selection => {
  const known = new Set(names)
  const chosen = new Set([...selection.chosen].filter((name) => known.has(name)))
  const kept = (name: string | null) => (name !== null && known.has(name) ? name : null)
  return { chosen, at: kept(selection.at), anchor: kept(selection.anchor) }
}
