import type { Parameter } from '@gantry/contract/pipelines/parameters'
import { createContext, use } from 'react'
import type { Draft, StepList } from '../definition/draft.ts'

/** The dragged element. */
export type Dragged =
  | { kind: 'stage'; stage: number }
  | { kind: 'job'; stage: number; row: number }
  | { kind: 'step'; place: StepList; row: number }

export interface Editing {
  draft: Draft
  /** `at` names the edited field, so that continued typing is one change in the history. */
  change: (draft: Draft, at?: string) => void
  problems: ReadonlyMap<string, string>
  /** Problems that do not prevent saving. */
  warnings: ReadonlyMap<string, string>
  /** A save was attempted: every problem is shown. */
  tried: boolean
  readOnly: boolean
  teamId: number
  /** The parameters in the pipeline's settings, for conditions and approvals. */
  parameters: readonly Pick<Parameter, 'name'>[]
  /** The keys of the open parts. */
  open: ReadonlySet<string>
  toggle: (key: string, open?: boolean) => void
  dragged: Dragged | undefined
  drag: (what: Dragged | undefined) => void
  /** After the next render, the focus returns to the button that moved the element. */
  moved: (key: string, by: 1 | -1) => void
  /** Reports that a part was removed, which can be undone. */
  removed: (name: string) => void
}

export const EditingContext = createContext<Editing | undefined>(undefined)

export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('outside of the editor')
  return editing
}
