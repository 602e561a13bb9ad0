/** Which of the typed words a guide contains, by their place: in its title and its added words, and in its text. */
export type GuideWords = { readonly named: readonly number[]; readonly written: readonly number[] }

/** More would not be read beside a form. */
export const SHOWN_GUIDES = 3

/** The weight of a word in a title, compared with the text. */
const TITLE_WEIGHT = 3
/** A guide that matches far worse than the best one is no help. */
const LEAST_SHARE = 0.4

/**
 * The guides that match what somebody types, best first, at most three. A word counts more the fewer guides contain it. A guide is shown
 * if a telling word, one that at most a third of all guides contain, stands in its title, or two such words in its text: a word
 * that most guides contain, such as 'server', says nothing about what is looked for.
 */
export const matchingGuides = <Guide extends GuideWords>(guides: readonly Guide[]): readonly Guide[] => {
  const holders = new Map<number, number>()
  for (const { named, written } of guides) {
    for (const word of new Set([...named, ...written])) holders.set(word, (holders.get(word) ?? 0) + 1)
  }
  const isTelling = (word: number) => (holders.get(word) ?? 0) <= Math.ceil(guides.length / 3)
  const weightOf = (word: number) => Math.log(1 + guides.length / (holders.get(word) ?? 1))
  const scored = guides.flatMap((guide) => {
    const { named, written } = guide
    const isShown = named.some(isTelling) || written.filter(isTelling).length >= 2
    if (!isShown) return []
    const inText = written.filter((word) => !named.includes(word))
    const sum = (words: readonly number[]) => words.reduce((total, word) => total + weightOf(word), 0)
    return [{ guide, score: TITLE_WEIGHT * sum(named) + sum(inText) }]
  })
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return scored
    .filter(({ score }) => score >= LEAST_SHARE * best)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, SHOWN_GUIDES)
    .map(({ guide }) => guide)
}
