import type { Locale } from '#contracts/locale.ts'
import type { SandboxDecision } from './sandbox-provider.ts'

type SandboxTexts = {
  readonly title: string
  readonly note: string
  readonly amount: string
  readonly buttons: Readonly<Record<SandboxDecision, string>>
  readonly decided: string
  readonly back: string
  readonly missing: string
}

/** The page's own texts: it represents another company's site, so it does not use the site's catalog. */
export const SANDBOX_TEXTS: Readonly<Record<Locale, SandboxTexts>> = {
  en: {
    title: 'Test payment',
    note: 'No real money moves here. Choose how this payment ends.',
    amount: 'Amount',
    buttons: { succeed: 'Pay', fail: 'Let it fail', cancel: 'Cancel', wait: 'Decide later' },
    decided: 'This payment has already been decided.',
    back: 'Back to the site',
    missing: 'This payment does not exist.',
  },
  hu: {
    title: 'Próbafizetés',
    note: 'Itt nem mozog valódi pénz. Válaszd ki, hogyan végződjön a fizetés.',
    amount: 'Összeg',
    buttons: { succeed: 'Fizetés', fail: 'Sikertelen fizetés', cancel: 'Mégse', wait: 'Később döntök' },
    decided: 'Erről a fizetésről már született döntés.',
    back: 'Vissza az oldalra',
    missing: 'Ilyen fizetés nem létezik.',
  },
  de: {
    title: 'Testzahlung',
    note: 'Hier fließt kein echtes Geld. Wähle, wie diese Zahlung endet.',
    amount: 'Betrag',
    buttons: { succeed: 'Bezahlen', fail: 'Fehlschlagen lassen', cancel: 'Abbrechen', wait: 'Später entscheiden' },
    decided: 'Über diese Zahlung wurde bereits entschieden.',
    back: 'Zurück zur Seite',
    missing: 'Diese Zahlung gibt es nicht.',
  },
}
