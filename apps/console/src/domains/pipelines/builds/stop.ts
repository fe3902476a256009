import { builds, type BuildSummary } from '@gantry/contract/pipelines/builds'
import { running } from '@gantry/contract/pipelines/running'
import { isEnded, type BuildState } from '@gantry/contract/pipelines/states'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirm } from '../../../ui/feedback/dialog.tsx'

interface Stoppable {
  number: number
  state: BuildState
}

/** Runs failed parts again, after a confirmation that names what is replaced. */
export function useRetry() {
  const retry = useWrite(builds.retry, { done: 'manual-trigger-success', quiet: true })
  return (pipelineId: number, number: number): void =>
    void confirm({
      title: t('pipelines-ui-retry-title', { number }),
      text: t('pipelines-ui-retry-text'),
      ok: t('pipelines-ui-retry'),
      run: () => retry.mutateAsync({ named: `#${number}`, params: { id: pipelineId, number }, body: {} }),
    })
}

/** Pins a build, so that it keeps its data, or unpins it. */
export function usePin() {
  const pin = useWrite(running.pin, { done: 'update-success' })
  return (pipelineId: number, { number, pinned }: { number: number; pinned: boolean }): void =>
    pin.mutate({ named: `#${number}`, params: { id: pipelineId, number }, body: { pinned: !pinned } })
}

export const canRetry = ({ state, emptiedAt }: Pick<BuildSummary, 'state' | 'emptiedAt'>): boolean =>
  emptiedAt === null && (state === 'failed' || state === 'aborted')

export const canStop = (build: { state: BuildState } | null): boolean => build !== null && !isEnded(build.state)

/** Stops a build; a queued one is cancelled without a confirmation. */
export function useStop() {
  const stop = useWrite(builds.stop, { done: 'stop-success', quiet: true })
  const cancel = useWrite(builds.stop, { done: 'cancel-success' })
  return (pipelineId: number, { number, state }: Stoppable): void => {
    const params = { id: pipelineId, number }
    if (state === 'queued') {
      cancel.mutate({ named: `#${number}`, params })
      return
    }
    void confirm({
      title: t('pipelines-ui-stop-title', { number }),
      text: t('pipelines-ui-stop-text'),
      danger: true,
      ok: t('pipelines-ui-stop'),
      run: () => stop.mutateAsync({ named: `#${number}`, params }),
    })
  }
}
