import { useState } from 'react'
import type { Build } from '@gantry/contract/pipelines/builds'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { type DeployedService, deployments } from '@gantry/contract/stacks/revisions/deployments'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { mayNow } from '../../../api/session.ts'
import { useGo, useTeamId } from '../../../ui/link.tsx'
import { matcherFor } from '../definition/parameter-schema.ts'
import { later } from '../../../ui/feedback/later.ts'
import { newKey, toBuild, type Runnable } from './places.ts'
import type { Asked } from './run-dialog.tsx'
import type { Undecided } from './undecided-dialog.tsx'
import { type Start, useStartBuild } from './start-build.ts'

const UndecidedDialog = later(async () => (await import('./undecided-dialog.tsx')).UndecidedDialog)
const RunDialog = later(async () => (await import('./run-dialog.tsx')).RunDialog)

interface RunOptions {
  /** Ask for branch and parameters, also where a build could start without; anyhow: also where there are none. */
  ask?: boolean | 'anyhow'
  /** An earlier build, whose branch or tag, commit, image and parameters are taken again. */
  like?: Pick<Build, 'branch' | 'tag' | 'commit' | 'parameters' | 'image'>
  /** Stages that are not saved, in the place of the pipeline's. */
  draft?: StageInput[]
  /** Without it the build's page opens. */
  started?: (number: number) => void
}

const sourceOf = ({ tag, commit }: Pick<Build, 'tag' | 'commit'>): Start['of'] => ({
  ...(tag === '' ? {} : { tag }),
  ...(commit === '' ? {} : { commit }),
})

/** Services that wait for a decision; whoever may not see them, or is not answered, is not held up. */
const undecidedOf = async (teamId: number, { id }: Runnable): Promise<DeployedService[]> =>
  mayNow('stack_service_view')
    ? call(deployments.undecided, { params: { teamId, pipelineId: id } }).catch(() => [])
    : []

/** Starts builds and opens their page; a pipeline with parameters asks for them first. `dialog` belongs on the page. */
export function useRun() {
  const go = useGo()
  const [asked, setAsked] = useState<Asked>()
  const [undecided, setUndecided] = useState<Undecided>()
  const [busy, setBusy] = useState<number>()
  const teamId = useTeamId()
  const start = useStartBuild()

  const run = async (pipeline: Runnable, options: RunOptions = {}) => {
    if (busy !== undefined) return
    setBusy(pipeline.id)
    const services = await undecidedOf(teamId, pipeline)
    setBusy(undefined)
    if (services.length === 0) await begin(pipeline, options)
    else setUndecided({ pipeline, services, start: () => void begin(pipeline, options) })
  }
  const begin = async (pipeline: Runnable, { ask = false, like, draft, started }: RunOptions) => {
    setUndecided(undefined)
    const onStarted = started ?? ((number: number) => go(toBuild(pipeline, number)))
    setBusy(pipeline.id)
    try {
      const setting = await call(pipelines.setting, { params: { appId: pipeline.appId, pipelineId: pipeline.id } })
      const own = setting.repository?.branch ?? ''
      const image = like?.image ?? ''
      const of = own === '' || !like ? {} : sourceOf(like)
      const branch = own === '' || of.tag !== undefined ? '' : like?.branch || own
      const hasOptions = own !== '' || setting.parameters.length > 0
      if (ask === true && !hasOptions) {
        toast.error(t('pipelines-ui-run-nothing', { name: pipeline.projectName }))
        return
      }
      if (ask !== false || setting.parameters.length > 0) {
        const parameters = setting.parameters.map((parameter) => ({
          ...parameter,
          // what was entered as a secret is not told again
          defaultValue:
            (parameter.kind === 'secret' ? undefined : like?.parameters[parameter.name]) ?? parameter.defaultValue,
        }))
        setAsked({ pipeline, parameters, branch, of, image, matches: await matcherFor(parameters), draft, onStarted })
        return
      }
      const other = branch === own ? {} : { branch }
      const number = await start(pipeline, { idempotencyKey: newKey(), ...other, of, image, draft })
      onStarted(number)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(undefined)
    }
  }
  const dialog = (
    <>
      {asked && <RunDialog {...asked} onClose={() => setAsked(undefined)} />}
      {undecided && <UndecidedDialog {...undecided} onClose={() => setUndecided(undefined)} />}
    </>
  )
  return { run, busy, dialog }
}
