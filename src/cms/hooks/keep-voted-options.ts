import { APIError, type CollectionBeforeChangeHook } from 'payload'
import { textIn, words } from '../fields/languages.ts'
import { readVotes } from './voting-votes.ts'

type Option = { readonly id?: string | null; readonly text?: unknown }

const optionsOf = (document: unknown): readonly Option[] => {
  const { options } = (document ?? {}) as { options?: unknown }
  return Array.isArray(options) ? (options as readonly Option[]) : []
}

/**
 * Refuses to remove an option for which somebody has voted: the vote would be lost, or counted for a text that the voter did not choose.
 * The texts of an option may change, because its id stays.
 */
export const keepVotedOptions: CollectionBeforeChangeHook = async ({ data, originalDoc, operation, req }) => {
  if (operation !== 'update' || data.options === undefined) return data
  const kept = new Set(optionsOf(data).map(({ id }) => id))
  const removed = optionsOf(originalDoc).filter(({ id }) => !kept.has(id))
  if (removed.length === 0) return data
  const votes = await readVotes(req, String(originalDoc.id))
  const voted = removed.find(({ id }) => (votes.get(id ?? '') ?? 0) > 0)
  if (voted === undefined) return data
  const text = typeof voted.text === 'string' ? voted.text : ''
  const sentence = words(
    `“${text}” already has votes, so it can’t be removed. Correct its text, or end this voting and start a new one.`,
    `Erre már szavaztak, ezért nem törölhető: „${text}”. Javítsd a szövegét, vagy zárd le a szavazást, és indíts újat.`,
    `Für „${text}“ gibt es schon Stimmen, deshalb lässt sich die Antwort nicht entfernen. Korrigiere den Text, oder beende die Abstimmung und starte eine neue.`,
  )
  throw new APIError(textIn(req.i18n.language, sentence), 409, undefined, true)
}
