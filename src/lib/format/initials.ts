/** Two letters for a person's tag: the initials of the name, else its first two letters. */
export const initialsOf = (name: string): string => {
  const parts = name.split(/[\s_-]+/).filter(Boolean)
  const letters = parts.length > 1 ? parts.map((part) => [...part][0] ?? '') : [...(parts[0] ?? '')]
  return letters.slice(0, 2).join('').toLocaleUpperCase()
}
