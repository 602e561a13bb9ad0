import { type AfterErrorHook, APIError } from 'payload'
import { textIn, words, type Words } from '../fields/languages.ts'

/** Refusals that Payload has in English alone, by their status. It names a locked document by its id. */
const sentences: Readonly<Record<number, Words>> = {
  413: words(
    'This file is too large: at most 10 MB.',
    'Ez a fájl túl nagy: legfeljebb 10 MB lehet.',
    'Diese Datei ist zu groß: höchstens 10 MB.',
  ),
  423: words(
    'Someone else is editing this. Try again in five minutes, or take over in the form.',
    'Ezt most valaki más szerkeszti. Próbáld újra öt perc múlva, vagy vedd át az űrlapon.',
    'Das bearbeitet gerade jemand anderes. Versuche es in fünf Minuten noch einmal oder übernimm im Formular.',
  ),
}

export const answerInLanguage: AfterErrorHook = ({ error, req }) => {
  const sentence = error instanceof APIError ? sentences[error.status] : undefined
  return sentence && { response: { errors: [{ message: textIn(req.i18n.language, sentence) }] } }
}
