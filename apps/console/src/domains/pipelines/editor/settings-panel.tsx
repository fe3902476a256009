import type { ReactNode } from 'react'
import { StepPlaceContext } from '../steps/step-field.tsx'
import { useEditing } from './editing.ts'
import steps from '../steps/steps.module.css'

/** The fields of a stage or a job, each of which finds its problems by its path. */
export function SettingsPanel({ path, id, children }: { path: string; id: string; children: ReactNode }) {
  const { problems, tried, readOnly } = useEditing()
  return (
    <StepPlaceContext value={{ path, problems, tried, readOnly }}>
      <div id={id} className={steps.stepForm}>
        {children}
      </div>
    </StepPlaceContext>
  )
}
