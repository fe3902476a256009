import type { Parameter } from '@gantry/contract/pipelines/parameters'
import { createContext, use } from 'react'
import type { Draft, StepList } from '../definition/draft.ts'

/** What is being dragged. */
export type Dragged =
  | { kind: 'stage'; stage: number }
  | { kind: 'job'; stage: number; row: number }
  | { kind: 'step'; place: StepList; row: number }

export interface Editing {
  draft: Draft
  /** `at` names what is typed into, so that typing on is one change to take back. */
  change: (draft: Draft, at?: string) => void
  problems: ReadonlyMap<string, string>
  /** What does not keep it from being saved. */
  warnings: ReadonlyMap<string, string>
  /** A save was tried: every problem shows. */
  tried: boolean
  readOnly: boolean
  teamId: number
  /** Those of the pipeline's settings, for conditions and approvals. */
  parameters: readonly Pick<Parameter, 'name'>[]
  /** The keys of what is open. */
  open: ReadonlySet<string>
  toggle: (key: string, open?: boolean) => void
  dragged: Dragged | undefined
  drag: (what: Dragged | undefined) => void
  /** Once it is drawn again, the focus goes back to the button that moved it. */
  moved: (key: string, by: 1 | -1) => void
  /** Something is gone, and can be taken back. */
  removed: (name: string) => void
}

export const EditingContext = createContext<Editing | undefined>(undefined)

export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('outside of the editor')
  return editing
}
