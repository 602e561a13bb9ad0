import { words } from '../../fields/languages.ts'
import { type Block, richText } from './rich-text.ts'
import { privacy } from './privacy.ts'
import { terms } from './terms.ts'

const inEachLanguage = (texts: Record<'en' | 'hu' | 'de', readonly Block[]>) => ({
  en: richText(texts.en),
  hu: richText(texts.hu),
  de: richText(texts.de),
})

/** Samples for the demo: a host replaces them before opening. */
export const documents = {
  terms: {
    version: '1',
    title: words('Terms of service', 'Általános szerződési feltételek', 'Allgemeine Geschäftsbedingungen'),
    body: inEachLanguage(terms),
  },
  privacy: {
    version: '1',
    title: words('Privacy policy', 'Adatkezelési tájékoztató', 'Datenschutzerklärung'),
    body: inEachLanguage(privacy),
  },
}

export const navigation = { statusUrl: '', footerLinks: [] }

export const news = [
  {
    title: words(
      'Your first server in a few minutes',
      'Az első szervered pár perc alatt',
      'Dein erster Server in ein paar Minuten',
    ),
    description: words(
      'Top up your balance, choose Minecraft, and watch the installation in the console. Players can join as soon as the lamp is green.',
      'Töltsd fel az egyenleged, válaszd a Minecraftot, és kövesd a telepítést a konzolban. Amint zöld a lámpa, jöhetnek a játékosok.',
      'Lade dein Guthaben auf, wähle Minecraft und sieh in der Konsole bei der Installation zu. Sobald die Lampe grün ist, können Spieler kommen.',
    ),
    published: true,
  },
]
