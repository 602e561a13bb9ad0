'use client'

/** On the phone, what an open menu leaves free of the page is dimmed: a press there closes the menu and does nothing else. */
export const MenuScrim = ({ onClose }: { onClose: () => void }) => <div className="menu-scrim" onClick={onClose} />
