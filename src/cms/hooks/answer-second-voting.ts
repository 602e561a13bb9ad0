import type { AfterErrorHook } from 'payload'
import { textIn, words } from '../fields/languages.ts'

/** The constraint of the database that lets one voting run at a time. */
const ONE_AT_A_TIME = 'votings_one_at_a_time'

const sentence = words(
  'Another poll is already running. Close it first, or wait for it to end.',
  'Már fut egy másik szavazás. Előbb zárd le azt, vagy várd meg a végét.',
  'Es läuft schon eine andere Abstimmung. Beende sie zuerst, oder warte ihr Ende ab.',
)

/** Whether an error, or one that caused it, is a refusal by that constraint. */
const isSecondVoting = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false
  if ('constraint' in error && error.constraint === ONE_AT_A_TIME) return true
  return 'cause' in error && isSecondVoting(error.cause)
}

/** Says which field the database refused and why, in the language of the admin. */
export const answerSecondVoting: AfterErrorHook = ({ error, req }) => {
  if (!isSecondVoting(error)) return undefined
  const message = textIn(req.i18n.language, sentence)
  const data = { errors: [{ path: 'active', message }] }
  return { status: 409, response: { errors: [{ name: 'ValidationError', data, message }] } }
}
