import { words } from '../../../fields/languages.ts'

/** The texts of a test server that is granted from a ticket. */
export const testServerWords = {
  fact: words('Test server', 'Tesztszerver', 'Testserver'),
  had: words('Already had one', 'Már volt', 'Hatte schon einen'),
  notYet: words('Not yet', 'Még nem volt', 'Noch nicht'),
  open: words('Grant test server…', 'Tesztszerver adása…', 'Testserver gewähren…'),
  title: words('Grant a test server', 'Tesztszerver adása', 'Testserver gewähren'),
  free: words(
    '{name} pays nothing for it, and gets a test server only once.',
    '{name} nem fizet érte, és csak egyszer kaphat tesztszervert.',
    '{name} bezahlt nichts dafür und bekommt nur einmal einen Testserver.',
  ),
  until: words(
    'It runs for one day after its installation: until about {time}. Without an order it is deleted 3 days later.',
    'A telepítés után egy napig működik, várhatóan eddig: {time}. Ha az ügyfél nem rendeli meg, 3 nappal később törlődik.',
    'Er läuft nach der Installation einen Tag, voraussichtlich bis {time}. Ohne Bestellung wird er 3 Tage später gelöscht.',
  ),
  service: words('Service', 'Szolgáltatás', 'Angebot'),
  package: words('Package', 'Csomag', 'Paket'),
  name: words('Server name', 'A szerver neve', 'Name des Servers'),
  missing: words(
    'Name the server, with up to 48 characters.',
    'Adj nevet a szervernek, legfeljebb 48 karakterrel.',
    'Gib dem Server einen Namen mit bis zu 48 Zeichen.',
  ),
  act: words('Grant', 'Megadás', 'Gewähren'),
  done: words(
    'The server is being installed. The test ends at about {time}.',
    'A szerver telepítése elindult. A teszt vége nagyjából: {time}.',
    'Der Server wird installiert. Der Test endet voraussichtlich am {time}.',
  ),
} as const
