import { MinimalTemplate } from '@payloadcms/next/templates'
import { contentLanguages, words } from '../fields/languages.ts'
import { isBuilt } from '#contracts/features.ts'
import { CATEGORY_FORMS_PATH, TICKETS_PATH } from './ticket-area.ts'

const texts = {
  title: words('You can manage tickets here', 'Itt a hibajegyekkel foglalkozhatsz', 'Hier bearbeitest du Tickets'),
  text: words(
    'The other admin pages require an administrator. With the support role you can manage tickets.',
    'Az adminfelület többi oldalához adminisztrátori jogosultság kell. Ügyfélszolgálatosként a hibajegyeket kezelheted.',
    'Die anderen Seiten der Verwaltung erfordern einen Administrator. Mit der Rolle Support verwaltest du die Tickets.',
  ),
  factor: words(
    'Another of your roles grants nothing until you set up two-step sign-in.',
    'Egy másik szerepköröd addig semmire sem jogosít, amíg be nem állítod a kétlépcsős azonosítást.',
    'Eine weitere deiner Rollen gewährt nichts, bis du die zweistufige Anmeldung einrichtest.',
  ),
  setUp: words('Set up two-step sign-in', 'Kétlépcsős azonosítás beállítása', 'Zweistufige Anmeldung einrichten'),
  tickets: words('Tickets', 'Hibajegyek', 'Tickets'),
  categories: words('Ticket categories', 'Hibajegy-kategóriák', 'Ticketkategorien'),
  back: words('Back to the dashboard', 'Vissza a vezérlőpultra', 'Zurück zum Dashboard'),
}

type Props = { readonly language: string; readonly awaitsFactor: boolean }

/**
 * Support's view in place of the administrators' pages: the reason, and a link to the tickets (specification section
 * 6).
 */
export const TicketsOnly = ({ language, awaitsFactor }: Props) => {
  const code = contentLanguages.find((each) => each === language) ?? 'en'
  const [path, name] = isBuilt('tickets') ? [TICKETS_PATH, texts.tickets] : [CATEGORY_FORMS_PATH, texts.categories]
  return (
    <MinimalTemplate className="bakter-tickets-only">
      <main>
        <h1>{texts.title[code]}</h1>
        <p>{texts.text[code]}</p>
        {awaitsFactor ? (
          <p>
            {texts.factor[code]} <a href="/dashboard/settings/security#factor">{texts.setUp[code]}</a>
          </p>
        ) : null}
        <p className="bakter-ways">
          <a className="btn btn--style-primary btn--size-medium" href={path}>
            {name[code]}
          </a>
          <a className="btn btn--style-secondary btn--size-medium" href="/dashboard/summary">
            {texts.back[code]}
          </a>
        </p>
      </main>
    </MinimalTemplate>
  )
}
