import { useEffect, useRef, useState } from 'react'
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
import { newKey, toBuild, type Runnable } from './places.ts'
import { type RunInput, RunDialog } from './run-dialog.tsx'
import { type Start, useStartBuild } from './start-build.ts'
import { UndecidedDialog } from './undecided-dialog.tsx'

export interface RunOptions {
  /** Ask for branch and parameters even if a build could start without them; anyhow: even if there are none. */
  ask?: boolean | 'anyhow'
  /** An earlier build, whose branch or tag, commit, image and parameters are reused. */
  like?: Pick<Build, 'branch' | 'tag' | 'commit' | 'parameters' | 'image'>
  /** Unsaved stages, used instead of the pipeline's. */
  draft?: StageInput[]
  /** Absent: the build's page opens. */
  started?: (number: number) => void
}

interface RunFlowProps {
  pipeline: Runnable
  options: RunOptions
  /** Called when it opens a dialog. */
  onAsk: () => void
  /** Called when it has started the build, or will not. */
  onEnd: () => void
}

const sourceOf = ({ tag, commit }: Pick<Build, 'tag' | 'commit'>): Start['of'] => ({
  ...(tag === '' ? {} : { tag }),
  ...(commit === '' ? {} : { commit }),
})

/** Services that wait for a decision; empty if the user may not see them, or the call fails. */
const undecidedOf = async (teamId: number, { id }: Runnable): Promise<DeployedService[]> =>
  mayNow(deployments.undecided)
    ? call(deployments.undecided, { params: { teamId, pipelineId: id } }).catch(() => [])
    : []

/** Prepares and starts a build: reports undecided upgrades, asks for parameters, and starts it. */
export function RunFlow({ pipeline, options, onAsk, onEnd }: RunFlowProps) {
  const { ask = false, like, draft, started } = options
  const go = useGo()
  const teamId = useTeamId()
  const start = useStartBuild()
  const [undecided, setUndecided] = useState<DeployedService[]>()
  const [input, setInput] = useState<RunInput>()
  const onStarted = (number: number) => {
    onEnd()
    if (started) started(number)
    else go(toBuild(pipeline, number))
  }

  const begin = async () => {
    setUndecided(undefined)
    try {
      const setting = await call(pipelines.setting, { params: { appId: pipeline.appId, pipelineId: pipeline.id } })
      const own = setting.repository?.branch ?? ''
      const image = like?.image ?? ''
      const of = own === '' || !like ? {} : sourceOf(like)
      const branch = own === '' || of.tag !== undefined ? '' : like?.branch || own
      const hasOptions = own !== '' || setting.parameters.length > 0
      if (ask === true && !hasOptions) {
        toast.error(t('pipelines-ui-run-nothing', { name: pipeline.projectName }))
        onEnd()
        return
      }
      if (ask !== false || setting.parameters.length > 0) {
        const parameters = setting.parameters.map((parameter) => ({
          ...parameter,
          // the value of a secret is never returned
          defaultValue:
            (parameter.kind === 'secret' ? undefined : like?.parameters[parameter.name]) ?? parameter.defaultValue,
        }))
        setInput({ pipeline, parameters, branch, of, image, matches: await matcherFor(parameters), draft, onStarted })
        onAsk()
        return
      }
      const other = branch === own ? {} : { branch }
      onStarted(await start(pipeline, { idempotencyKey: newKey(), ...other, of, image, draft }))
    } catch (error) {
      toast.error(error)
      onEnd()
    }
  }

  const begun = useRef(false)
  useEffect(() => {
    // in development an effect runs twice
    if (begun.current) return
    begun.current = true
    const look = async () => {
      const services = await undecidedOf(teamId, pipeline)
      if (services.length === 0) return begin()
      setUndecided(services)
      onAsk()
    }
    void look()
  })

  if (input) return <RunDialog {...input} onClose={onEnd} />
  if (!undecided) return null
  return <UndecidedDialog pipeline={pipeline} services={undecided} start={() => void begin()} onClose={onEnd} />
}
