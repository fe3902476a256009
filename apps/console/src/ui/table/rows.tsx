import type { ReactNode } from 'react'
import { scrollStop } from '../focus/scroll-stop.ts'

/** A plain table in a box with its own height: the contents of a file or directory, the results of an action. */
export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="g-rows" role="region" aria-label={label} ref={scrollStop}>
    <table>{children}</table>
  </div>
)
