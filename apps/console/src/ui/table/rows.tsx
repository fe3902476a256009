import type { ReactNode } from 'react'

/** A plain table in a box of its own height: the content of a file or directory, the results of an action. */
export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="g-rows" role="region" aria-label={label} tabIndex={0}>
    <table>{children}</table>
  </div>
)
