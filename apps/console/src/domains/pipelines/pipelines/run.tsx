import { useState } from 'react'
import { withWords } from '../../../api/language.ts'
import { later } from '../../../ui/feedback/later.ts'
import type { Runnable } from './places.ts'
import type { RunOptions } from './run-flow.tsx'

const RunFlow = later(async () => (await withWords('run', () => import('./run-flow.tsx'))).RunFlow)

/**
 * Starts builds and opens their page, after necessary questions and decisions. The code loads with the first build.
 * `dialog` must be rendered on the page; `busy` is the pipeline whose build is about to start, unless a dialog is open.
 */
export function useRun() {
  const [running, setRunning] = useState<{ pipeline: Runnable; options: RunOptions; asks: boolean }>()
  const run = (pipeline: Runnable, options: RunOptions = {}) =>
    setRunning((now) => now ?? { pipeline, options, asks: false })
  const dialog = running && (
    <RunFlow
      pipeline={running.pipeline}
      options={running.options}
      onAsk={() => setRunning((now) => now && { ...now, asks: true })}
      onEnd={() => setRunning(undefined)}
    />
  )
  return { run, busy: running?.asks === false ? running.pipeline.id : undefined, dialog }
}
