import { fallbackLocale, isLocale } from '../../i18n/locales.ts'
import type { Locale } from '../../i18n/locales.ts'

export type ErrorWords = {
  error: string
  title: string
  safe: string
  retry: string
  backHome: string
  reportId: string
  copy: string
  copied: string
  copyFailed: string
  inError: string
  goHome: string
}

/**
 * The few sentences that error pages need without a server to load a catalog from. A test compares them with the
 * catalogs.
 */
const words: Readonly<Record<Locale, ErrorWords>> = {
  en: {
    error: 'Error',
    title: 'Something went wrong.',
    safe: "Your servers and your balance aren't affected.",
    retry: 'Try again',
    backHome: 'Back to home',
    reportId: 'Report ID:',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: "Your browser didn't allow copying. Select the text and copy it yourself.",
    inError: 'An error occurred while showing the error page',
    goHome: 'Go back home',
  },
  hu: {
    error: 'Hiba',
    title: 'Valami nem sikerült.',
    safe: 'A szervereidet és az egyenlegedet ez nem érinti.',
    retry: 'Próbáld újra',
    backHome: 'Vissza a kezdőlapra',
    reportId: 'Hibaazonosító:',
    copy: 'Másolás',
    copied: 'Kimásolva',
    copyFailed: 'A böngésző nem engedte a másolást. Jelöld ki a szöveget, és másold ki magad.',
    inError: 'Hiba történt a hibaoldal megjelenítése közben',
    goHome: 'Vissza a kezdőlapra',
  },
  de: {
    error: 'Fehler',
    title: 'Etwas ist schiefgelaufen.',
    safe: 'Deine Server und dein Guthaben sind davon nicht betroffen.',
    retry: 'Erneut versuchen',
    backHome: 'Zurück zur Startseite',
    reportId: 'Fehler-ID:',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyFailed: 'Der Browser hat das Kopieren nicht erlaubt. Markiere den Text und kopiere ihn selbst.',
    inError: 'Beim Anzeigen der Fehlerseite ist ein Fehler aufgetreten',
    goHome: 'Zurück zur Startseite',
  },
}

export const errorWords = (locale: unknown): ErrorWords => words[isLocale(locale) ? locale : fallbackLocale]
