import { words } from './languages.ts'

/** Groups of the admin's menu. */
export const groups = {
  people: words('People', 'Személyek', 'Personen'),
  catalog: words('Services', 'Szolgáltatások', 'Angebote'),
  machines: words('Machines', 'Gépek', 'Maschinen'),
  sales: words('Coupons and prizes', 'Kuponok és nyeremények', 'Gutscheine und Gewinne'),
  content: words('Content', 'Tartalom', 'Inhalte'),
  tickets: words('Ticket system', 'Hibajegyrendszer', 'Ticketsystem'),
  system: words('System', 'Rendszer', 'System'),
}
