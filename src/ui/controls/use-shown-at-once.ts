import { useState } from 'react'

/**
 * A choice that is kept outside the component: `kept` follows it only after the click has ended, and React would draw
 * the old state meanwhile. The reader's choice shows at once, until the kept value changes.
 */
export const useShownAtOnce = (kept: boolean): readonly [shown: boolean, show: (choice: boolean) => void] => {
  const [{ known, shown }, set] = useState({ known: kept, shown: kept })
  if (known !== kept) set({ known: kept, shown: kept })
  return [known === kept ? shown : kept, (choice) => set({ known: kept, shown: choice })]
}
