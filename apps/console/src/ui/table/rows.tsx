import type { ReactNode } from 'react'

/** A plain table in a box of its own height: what a file or a directory holds, what became of each. */
export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="g-rows" role="region" aria-label={label} tabIndex={0}>
    <table>{children}</table>
  </div>
)
