'use client'

/** On a phone the part of the page beside an open menu is dimmed: a press there only closes the menu. */
export const MenuScrim = ({ onClose }: { onClose: () => void }) => <div className="menu-scrim" onClick={onClose} />
