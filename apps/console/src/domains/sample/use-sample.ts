import { overview } from '@gantry/contract/dashboard/overview'
import { isEnded } from '@gantry/contract/pipelines/states'
import { builds } from '@gantry/contract/pipelines/builds'
import { sample as calls, type Sample } from '@gantry/contract/sample/sample'
import { services } from '@gantry/contract/stacks/services'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'

/** The polling interval while it changes, because users watch every step. */
const busyMs = 400
const idleMs = 20_000

const settled = ['stable', 'upgraded', 'failed']

/** Whether something of it changes by itself. */
export const isMoving = (sample: Sample): boolean =>
  sample.state === 'removing' ||
  (sample.build !== null && !isEnded(sample.build.state)) ||
  (sample.service !== null && !settled.includes(sample.service.state))

/** The team's sample, followed. */
export function useSample(teamId: number) {
  const client = useQueryClient()
  const input = { params: { teamId } }
  const query = useRead(calls.get, input, { keep: false })
  useRead(calls.get, input, { every: query.data && isMoving(query.data) ? busyMs : idleMs })
  const state = query.data?.state
  const before = useRef(state)
  useEffect(() => {
    // refreshes what the team has changed through it
    if (before.current !== undefined && state !== before.current)
      void client.invalidateQueries({ queryKey: [overview.get.method, overview.get.path] })
    before.current = state
  }, [client, state])
  return query
}

/** The newest build and the service's answer, for users who may see them; `awaited`: the first answer is pending. */
export function useJourney(teamId: number, sample: Sample) {
  const moving = isMoving(sample)
  const here = sample.state === 'ready'
  const mayBuild = useMay(builds.get) && here
  const mayAsk = useMay(calls.answer) && here
  const input = { params: { id: sample.pipeline?.id ?? 0, number: sample.build?.number ?? 0 } }
  const enabled = mayBuild && sample.pipeline !== null && sample.build !== null
  const build = useRead(builds.get, input, { enabled, keep: false })
  // until the build's own end, which this read may report later than the sample's
  const running = build.data !== undefined && !isEnded(build.data.state)
  useRead(builds.get, input, { enabled, every: running && busyMs, keep: false })
  const asking = mayAsk && sample.service !== null
  const answer = useRead(
    calls.answer,
    { params: { teamId } },
    { enabled: asking, every: moving ? busyMs : idleMs, staleMs: 0 },
  )
  return { build: build.data, answer: asking ? answer.data : undefined, awaited: asking && answer.isPending }
}

export const useCreate = () => useWrite(calls.create)
export const useChange = () => useWrite(calls.change)
export const useRemove = () => useWrite(calls.remove, { quiet: true })
export const useDecide = () => ({
  confirm: useWrite(services.confirm),
  rollBack: useWrite(services.rollBack),
})
