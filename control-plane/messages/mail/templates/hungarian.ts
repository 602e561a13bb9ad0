import type { SecurityChange } from '#contracts/mail/mail.ts'
import { formatMoney } from '#domain/billing/money-text.ts'
import { knownErrorTitle } from './known-error-titles.ts'
import { momentIn, spanOf } from './moments.ts'
import type { MailWords } from './mail-words.ts'
import { ticketMails } from './ticket-mails.ts'
import { ticketNoticeMails } from './ticket-notice-mails.ts'

const takingBack = (takesFactorsAway: boolean): string[] =>
  takesFactorsAway
    ? [
        'Az elmúlt 7 napban új kétlépcsős azonosítást állítottak be. A fenti link ezt eltávolítja, azzal együtt, amit utána adtak hozzá.',
      ]
    : []

const UNITS = { minute: 'perc', hour: 'óra', day: 'nap' } as const
const WITHIN = { minute: 'percen', hour: 'órán', day: 'napon' } as const
const within = (minutes: number): string => {
  const { count, unit } = spanOf(minutes)
  return `${count} ${WITHIN[unit]} belül`
}
const lasting = (minutes: number): string => {
  const { count, unit } = spanOf(minutes)
  return `${count} ${UNITS[unit]}ig`.replace('óraig', 'óráig')
}
const NOT_YOU = 'Ha nem te voltál, hagyd figyelmen kívül ezt a levelet: nélküle nem történik semmi.'
const CHOSEN = 'A fiókod beállításaiban te döntöd el, melyik ilyen levelet kéred.'

const owing = (debtFt: number): string[] =>
  debtFt === 0
    ? []
    : [
        `Egy részét már elköltötted, ezért ennyi a tartozásod: ${formatMoney(debtFt, 'hu')}. A következő feltöltés először ezt rendezi, addig nem tudsz vásárolni.`,
      ]

const CHANGES: Readonly<Record<SecurityChange, string>> = {
  password: 'Megváltozott a jelszavad',
  'app-on': 'Bekapcsolták a hitelesítő alkalmazás kódjait',
  'app-off': 'Kikapcsolták a hitelesítő alkalmazás kódjait',
  'passkey-added': 'Új azonosítókulcsot vettek fel',
  'passkey-removed': 'Töröltek egy azonosítókulcsot',
  'ssh-key-added': 'Új SSH-kulcsot vettek fel',
  'app-password-added': 'Új alkalmazásjelszó készült',
  'recovery-codes': 'Új tartalék kódok készültek',
}

const WITHDRAWN = { order: 'megrendelés', renewal: 'megújítás', premium: 'előfizetés' } as const

const documentName = (isReceipt: true | undefined): string => (isReceipt ? 'nyugta' : 'számla')
const documentObject = (isReceipt: true | undefined): string => (isReceipt ? 'nyugtát' : 'számlát')

type Bought = { readonly server: string; readonly product: string }

const PURCHASES = {
  order: ({ product }: Bought) => ({ subject: `Sikeres vásárlás: ${product}`, title: 'Sikeres vásárlás' }),
  renewal: ({ server }: Bought) => ({ subject: `Megújítva: ${server}`, title: 'Megújítottad a szervert' }),
  resize: ({ server }: Bought) => ({ subject: `Átméretezve: ${server}`, title: 'Átméretezted a szervert' }),
} as const

export const HUNGARIAN: MailWords = {
  frame: ({ hostName }) => ({
    orCopy: 'Ha a gomb nem nyílik meg, másold ezt a címet a böngésződbe:',
    foot: `Ezt a levelet a ${hostName} küldte, mert történt valami a fiókodban. Az erre érkező válaszokat senki sem olvassa.`,
  }),
  bodies: {
    verify: ({ username, code, minutes }, { hostName }) => ({
      subject: `${code} – ez a kódod (${hostName})`,
      title: 'Erősítsd meg az e-mail-címedet',
      before: [`Szia, ${username}! Ezzel a kóddal erősítheted meg, hogy ez a cím a tiéd:`],
      code,
      after: [`Egyszer használható, ${within(minutes)}. Ne mondd el senkinek: mi sem kérjük el soha.`, NOT_YOU],
    }),
    reset: ({ username, path, minutes }, { hostName }) => ({
      subject: `Új jelszó beállítása (${hostName})`,
      title: 'Állíts be új jelszót',
      before: [`Szia, ${username}! Új jelszót kértél. Itt állíthatod be:`],
      action: { label: 'Új jelszó beállítása', path },
      after: [`A link egyszer használható, ${within(minutes)}. Ekkor minden eszközről kijelentkeztetünk.`, NOT_YOU],
    }),
    'email-change': ({ username, newEmail, path, minutes }, { hostName }) => ({
      subject: `Erősítsd meg az új e-mail-címedet (${hostName})`,
      title: 'Erősítsd meg az új e-mail-címedet',
      before: [`A(z) ${username} fiók mostantól a(z) ${newEmail} címet használná. Erősítsd meg, hogy a tiéd:`],
      action: { label: 'A cím megerősítése', path },
      after: [`A link ${within(minutes)} használható. Addig a régi cím marad érvényben.`, NOT_YOU],
    }),
    'email-change-notice': ({ username, newEmail, path, minutes }, { hostName }) => ({
      subject: `Megváltozik a fiókod e-mail-címe (${hostName})`,
      title: 'Megváltozik az e-mail-címed',
      before: [
        `Valaki, aki ${username} néven van bejelentkezve, azt kérte, hogy ezt a címet a(z) ${newEmail} váltsa fel. Ha te voltál, nincs teendőd.`,
        'Ha nem te voltál, vond vissza. Ekkor minden eszközről kijelentkeztetünk, és állíts be új jelszót is.',
      ],
      action: { label: 'A változtatás visszavonása', path },
      after: [`A link ${lasting(minutes)} használható, az új cím megerősítése után is.`],
    }),
    'new-device': ({ username, device, address, place, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Új eszköz a fiókodban (${hostName})`,
      title: 'Bejelentkezés új eszközről',
      before: [
        `A(z) ${username} fiókba olyan eszközről jelentkeztek be, amelyről eddig még nem.`,
        `${[device, address, place].filter(Boolean).join(', ')}, ${momentIn('hu', at)}`,
      ],
      action: { label: 'Új jelszó beállítása', path },
      after: [
        'Ha te voltál, nincs teendőd. Ha nem, állíts be azonnal új jelszót: ekkor minden eszközről kijelentkeztetünk.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'register-attempt': ({ username, path }, { hostName }) => ({
      subject: `Már van fiókod (${hostName})`,
      title: 'Valaki a te címeddel próbált regisztrálni',
      before: [
        `Valaki ezzel az e-mail-címmel próbált új fiókot létrehozni (${hostName}). Neked már van fiókod: ${username}.`,
        'Ha te voltál, azzal jelentkezz be. Ha elfelejtetted a jelszavad, itt állíthatsz be újat:',
      ],
      action: { label: 'Új jelszó beállítása', path },
      after: [
        'Ha nem te voltál, ezzel a levéllel nincs teendőd: a fiókod nem változott, és senki sem tudta meg, hogy létezik.',
      ],
    }),
    'security-change': ({ username, change, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Megváltozott a bejelentkezés a fiókodba (${hostName})`,
      title: CHANGES[change],
      before: [`Ez a(z) ${username} fiókban változott meg.`, `${address}, ${momentIn('hu', at)}`],
      action: { label: 'Új jelszó beállítása', path },
      after: [
        'Ha te voltál, nincs teendőd. Ha nem, állíts be azonnal új jelszót: ekkor minden eszközről kijelentkeztetünk.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'session-copied': ({ username, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Lemásolták a fiókod egyik munkamenetét (${hostName})`,
      title: 'Lezártunk egy lemásolt munkamenetet',
      before: [
        `A(z) ${username} fiók ugyanazon munkamenetét ketten használták. Lehet, hogy ellopták, ezért kijelentkeztettük.`,
        `${address}, ${momentIn('hu', at)}`,
      ],
      action: { label: 'Új jelszó beállítása', path },
      after: [
        'A biztonság kedvéért állíts be új jelszót: ekkor minden eszközről kijelentkeztetünk.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'code-guesses': ({ username, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Valaki a fiókod kódjait próbálgatja (${hostName})`,
      title: 'Hibás kódok a helyes jelszó után',
      before: [
        `Valaki megadta a(z) ${username} fiók jelszavát, majd több hibás kódot. Nagyon kevés próbálkozást engedünk, így senki sem jutott be.`,
        `${address}, ${momentIn('hu', at)}`,
      ],
      action: { label: 'Új jelszó beállítása', path },
      after: [
        'Ha te voltál, nincs teendőd; egy tartalék kóddal is beléphetsz. Ha nem, valaki tudja a jelszavadat: állíts be most egy újat.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'account-deletion': ({ username, at, path }, { hostName }) => ({
      subject: `Töröljük a ${hostName}-fiókodat`,
      title: 'A fiókod törlés alatt áll',
      before: [
        `A(z) ${username} fiókot már nem lehet használni. Az adatait ekkor töröljük véglegesen: ${momentIn('hu', at)}. Amit törvény szerint meg kell őriznünk, a neved nélkül marad meg.`,
        'Ha meggondoltad magad, vagy ha nem te kérted, addig visszavonhatod:',
      ],
      action: { label: 'Megtartom a fiókot', path },
      after: ['A bejelentkezés ugyanezt kínálja fel.'],
    }),
    'data-export': ({ username, address, at, path }, { hostName }) => ({
      subject: `Letöltötték a ${hostName}-fiókod adatait`,
      title: 'Letöltötték az adataidat',
      before: [
        `A(z) ${username} fiókról tárolt összes adatot letöltötték egy fájlban.`,
        `${address}, ${momentIn('hu', at)}`,
      ],
      action: { label: 'Új jelszó beállítása', path },
      after: [
        'Ha te voltál, nincs teendőd. Ha nem, állíts be azonnal új jelszót: ekkor minden eszközről kijelentkeztetünk.',
      ],
    }),
    invoice: ({ number, amountFt, at, path, isReceipt }, { hostName }) => ({
      subject: `${number} számú ${documentName(isReceipt)} (${hostName})`,
      title: `${number} számú ${documentName(isReceipt)}`,
      before: [
        `${isReceipt ? 'Nyugtát' : 'Számlát'} állítottunk ki. Összege: ${formatMoney(amountFt, 'hu')}, kelte: ${momentIn('hu', at)}.`,
      ],
      action: { label: `A ${documentName(isReceipt)} megnyitása`, path },
      after: [],
    }),
    storno: ({ number, of, amountFt, at, path, isReceipt }, { hostName }) => ({
      subject: `Sztornóztuk a(z) ${of} számú ${documentObject(isReceipt)} (${hostName})`,
      title: `Sztornóztuk a(z) ${of} számú ${documentObject(isReceipt)}`,
      before: [
        `A(z) ${of} számú ${documentObject(isReceipt)} a(z) ${number} számú bizonylattal érvénytelenítettük. Kelte: ${momentIn('hu', at)}, a visszavont összeg: ${formatMoney(amountFt, 'hu')}.`,
      ],
      action: { label: 'A bizonylat megnyitása', path },
      after: [],
    }),
    correction: ({ number, of, amountFt, at, path, isReceipt }, { hostName }) => ({
      subject: `Helyesbítettük a(z) ${of} számú ${documentObject(isReceipt)} (${hostName})`,
      title: `Helyesbítettük a(z) ${of} számú ${documentObject(isReceipt)}`,
      before: [
        `A(z) ${of} számú ${documentObject(isReceipt)} a(z) ${number} számú bizonylattal helyesbítettük. Kelte: ${momentIn('hu', at)}, az összege ennyivel csökken: ${formatMoney(amountFt, 'hu')}.`,
      ],
      action: { label: 'A bizonylat megnyitása', path },
      after: [],
    }),
    expiry: ({ server, at, path }) => ({
      subject: `Hamarosan lejár: ${server}`,
      title: `Hamarosan lejár: ${server}`,
      before: [
        `A(z) ${server} szerver kifizetett ideje ekkor ér véget: ${momentIn('hu', at)}. Akkor leállítjuk, és 3 nap múlva minden fájljával együtt töröljük.`,
      ],
      action: { label: 'A szerver megújítása', path },
      after: [],
    }),
    withdrawal: (
      { contract, number, product, server, at, concludedAt, endsAt, backFt, keptFt, path },
      { hostName },
    ) => ({
      subject: `Elállásod visszaigazolása: ${product} (${hostName})`,
      title: 'Megkaptuk az elállásodat',
      before: [
        `Ekkor elálltál az alábbi szerződéstől: ${momentIn('hu', at)}. A szerződés: ${product}${server === '' ? '' : `, ${server}`}, ${WITHDRAWN[contract]}, megkötve: ${momentIn('hu', concludedAt)}, száma: ${number}.`,
        `Az egyenlegedre visszakerült: ${formatMoney(backFt, 'hu')}, a pénz pénzként, a bónusz bónuszként. A felhasznált időért${contract === 'premium' ? ', a felhasznált ingyenes pörgetésekért és a kapott kedvezményekért' : ''} levonva: ${formatMoney(keptFt, 'hu')}.`,
        contract === 'premium'
          ? `A szint ekkor ért véget: ${momentIn('hu', endsAt)}.`
          : `A szerver kifizetett ideje ekkor ér véget: ${momentIn('hu', endsAt)}. Akkor leállítjuk, és 3 nap múlva minden fájljával együtt töröljük.`,
      ],
      action: { label: 'Az egyenleg megnyitása', path },
      after: ['Őrizd meg ezt a levelet: ez igazolja a nyilatkozatodat. Az elállás nem vonható vissza.'],
    }),
    ...ticketMails('hu'),
    ...ticketNoticeMails('hu'),
    // Notifications that the person can switch off.
    'server.installed': ({ server, product, path }) => ({
      subject: `Elkészült a szerver: ${server}`,
      title: `Elkészült a szerver: ${server}`,
      before: [`A telepítés kész (${product}). A szervert a konzoljáról indíthatod el.`],
      action: { label: 'A konzol megnyitása', path },
      after: [CHOSEN],
    }),
    'purchase.success': ({ server, product, amountFt, purchase, path }) => ({
      ...PURCHASES[purchase ?? 'order']({ server, product }),
      before: [`${product}, ${server}. Az egyenlegedből levontuk: ${formatMoney(amountFt, 'hu')}.`],
      action: { label: 'A szerver megnyitása', path },
      after: [CHOSEN],
    }),
    'server.expired': ({ server, isTest, path }) => ({
      subject: `Lejárt a szerver: ${server}`,
      title: `Lejárt a szerver: ${server}`,
      before: [
        `A(z) ${server} szerver ${isTest ? 'tesztideje' : 'kifizetett ideje'} letelt, ezért leállítottuk. A lejárat után 3 nappal minden fájljával együtt töröljük.`,
      ],
      action: { label: isTest ? 'Megtartás vagy a mappa letöltése' : 'Megújítás vagy a mappa letöltése', path },
      after: [
        `Ha addig ${isTest ? 'a beállításainál megveszed' : 'megújítod'}, minden a régiben marad. Ugyanitt addig a mappáját is letöltheted.`,
        CHOSEN,
      ],
    }),
    'server.crashed': ({ server, path, again, error, staffError, lines = [] }) => {
      const reason = knownErrorTitle(error, 'hu') ?? staffError?.hu
      return {
        subject: again ? `Újra összeomlott: ${server}` : `Összeomlott és leállva marad: ${server}`,
        title: `Összeomlott a szerver: ${server}`,
        before: [
          again
            ? 'A szerver egy órán belül másodszor omlott össze. A fájljaihoz nem nyúltunk.'
            : 'A szerver többször egymás után összeomlott, ezért már nem indítjuk újra. A fájljaihoz nem nyúltunk.',
          ...(reason === undefined ? [] : [`A konzol egy ismert hibát mutat: ${reason}.`]),
        ],
        action: { label: 'A konzol megnyitása', path },
        ...(lines.length > 0 ? { log: { title: 'Az utolsó sorok az összeomlás előtt', lines } } : {}),
        after: ['A konzol megmutatja az okot, az ismert hibáknál pedig a javítást is.', CHOSEN],
      }
    },
    'server.storage-filling': ({ server, path }) => ({
      subject: `Mindjárt betelik a tárhely: ${server}`,
      title: `Mindjárt betelik a szerver tárhelye: ${server}`,
      before: [
        'Ha a szerver fájljai tovább nőnek ebben az ütemben, egy napon belül betelik a tárhely. Ha a játék nem tud menteni, elveszik, amit a játékosok elértek.',
      ],
      action: { label: 'A fájlok megnyitása', path },
      after: ['Töröld a fölösleges fájlokat, vagy válassz nagyobb méretet a szerver beállításainál.', CHOSEN],
    }),
    'server.invited': ({ server, person, path }, { hostName }) => ({
      subject: `${person} meghívott egy szerverhez (${hostName})`,
      title: `${person} meg szeretne osztani veled egy szervert`,
      before: [
        `A szerver: ${server}. Ha elfogadod, megjelenik a szervereid között, és azt teheted vele, amit ${person} megenged.`,
        'Amíg nem fogadod el, semmi sincs megosztva.',
      ],
      action: { label: 'A meghívó megnyitása', path },
      after: [`Ha nem ismered (${person}), utasítsd el vagy hagyd figyelmen kívül: a meghívó magától lejár.`, CHOSEN],
    }),
    'renewal.missing': ({ server, amountFt, path }) => ({
      subject: `Nem sikerült a megújítás: ${server}`,
      title: `Nem sikerült a megújítás: ${server}`,
      before: [
        `Az automatikus megújításhoz ennyi hiányzik az egyenlegedről: ${formatMoney(amountFt, 'hu')}. Nem vontunk le semmit.`,
      ],
      action: { label: 'A megújítás megnyitása', path },
      after: ['A szerver törléséig újra megpróbáljuk. Töltsd fel az egyenlegedet, és magától megújul.', CHOSEN],
    }),
    'topup.failed': ({ amountFt, path }) => ({
      subject: `Sikertelen feltöltés: ${formatMoney(amountFt, 'hu')}`,
      title: 'Sikertelen feltöltés',
      before: [`Nem sikerült a feltöltés: ${formatMoney(amountFt, 'hu')}. Az egyenleged nem változott.`],
      action: { label: 'Az egyenleg megnyitása', path },
      after: [CHOSEN],
    }),
    'topup.successful': ({ amountFt, path }) => ({
      subject: `Jóváírtuk az egyenlegeden: ${formatMoney(amountFt, 'hu')}`,
      title: 'Sikeres feltöltés',
      before: [`Jóváírtuk az egyenlegeden: ${formatMoney(amountFt, 'hu')}.`],
      action: { label: 'Az egyenleg megnyitása', path },
      after: [CHOSEN],
    }),
    'premium.expired': ({ tier, path }) => ({
      subject: `Lejárt a prémium: ${tier}`,
      title: `Lejárt a prémium: ${tier}`,
      before: [
        `Letelt a(z) ${tier} szint ideje. A több mentési hely és alfelhasználó, az ingyenes pörgetés és a kedvezmény már nem jár; a szervereid tovább futnak.`,
      ],
      action: { label: 'A prémium megnyitása', path },
      after: ['Bármikor vehetsz új szintet.', CHOSEN],
    }),
    'refund.sent': ({ amountFt, debtFt, path }) => ({
      subject: `Visszatérítettük: ${formatMoney(amountFt, 'hu')}`,
      title: 'Úton van a visszatérítésed',
      before: [
        `Visszatérítettük az eredeti fizetési módra: ${formatMoney(amountFt, 'hu')}. Néhány nap is eltelhet, mire a bankodnál látod.`,
        ...owing(debtFt),
      ],
      action: { label: 'Az egyenleg megnyitása', path },
      after: [CHOSEN],
    }),
    'refund.failed': ({ amountFt, path }) => ({
      subject: `A visszatérítés nem érkezett meg: ${formatMoney(amountFt, 'hu')}`,
      title: 'A visszatérítés nem érkezett meg',
      before: [
        `A visszatérítés nem érkezett meg a bankodhoz: ${formatMoney(amountFt, 'hu')}. A pénz újra az egyenlegeden van.`,
      ],
      action: { label: 'Az egyenleg megnyitása', path },
      after: [CHOSEN],
    }),
    'refund.size': ({ server, amountFt, path }) => ({
      subject: `Sikertelen bővítés: ${server}`,
      title: 'Sikertelen bővítés, visszatérítve',
      before: [
        `A bővítés nem sikerült (${server}): a gép nem fogadta el a nagyobb méretet. A szerver a korábbi méretével fut tovább, és az ára visszakerült az egyenlegedre: ${formatMoney(amountFt, 'hu')}.`,
      ],
      action: { label: 'Az egyenleg megnyitása', path },
      after: [CHOSEN],
    }),
    'server.package-changed': ({ server, amountFt, path }) => ({
      subject: `Csomagváltás: ${server}`,
      title: 'Életbe lépett az új csomagod',
      before: [
        `A szervered (${server}) átváltott a tervezett csomagra. Az ára havonta ${formatMoney(amountFt, 'hu')}.`,
      ],
      action: { label: 'A szerver megnyitása', path },
      after: [CHOSEN],
    }),
    'payment.taken-back': ({ amountFt, debtFt, path }) => ({
      subject: `Visszaterhelés: ${formatMoney(amountFt, 'hu')}`,
      title: 'A bankod visszaterhelt egy fizetést',
      before: [`A bankod visszaterhelt egy fizetésből: ${formatMoney(amountFt, 'hu')}.`, ...owing(debtFt)],
      action: { label: 'Az egyenleg megnyitása', path },
      after: [CHOSEN],
    }),
  },
}
