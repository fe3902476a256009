import { useState } from 'react'
import { builds, type Build } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { useGo } from '../../../ui/link.tsx'
import { matcherFor } from '../definition/parameter-schema.ts'
import { toBuild, type Runnable } from './places.ts'
import { type Asked, newKey, RunDialog } from './run-dialog.tsx'

interface RunOptions {
  /** Ask for branch and parameters, also where a build could start without. */
  ask?: boolean
  /** An earlier build, whose branch or tag, commit and parameters are taken again. */
  like?: Pick<Build, 'branch' | 'tag' | 'commit' | 'parameters'>
}

const sourceOf = ({ tag, commit }: Pick<Build, 'tag' | 'commit'>): Asked['of'] => ({
  ...(tag === '' ? {} : { tag }),
  ...(commit === '' ? {} : { commit }),
})

/** Starts builds and opens their page; a pipeline with parameters asks for them first. `dialog` belongs on the page. */
export function useRun() {
  const go = useGo()
  const [asked, setAsked] = useState<Asked>()
  const [busy, setBusy] = useState<number>()
  const trigger = useWrite(builds.trigger, { done: 'manual-trigger-success', quiet: true })

  const run = async (pipeline: Runnable, { ask = false, like }: RunOptions = {}) => {
    if (busy !== undefined) return
    setBusy(pipeline.id)
    try {
      const setting = await call(pipelines.setting, { params: { appId: pipeline.appId, pipelineId: pipeline.id } })
      const own = setting.repository?.branch ?? ''
      const of = own === '' || !like ? {} : sourceOf(like)
      const branch = own === '' || of.tag !== undefined ? '' : like?.branch || own
      const hasOptions = own !== '' || setting.parameters.length > 0
      if (ask && !hasOptions) {
        toast.error(t('pipelines-ui-run-nothing', { name: pipeline.projectName }))
        return
      }
      if (ask || setting.parameters.length > 0) {
        const parameters = setting.parameters.map((parameter) => ({
          ...parameter,
          // what was entered as a secret is not told again
          defaultValue:
            (parameter.kind === 'secret' ? undefined : like?.parameters[parameter.name]) ?? parameter.defaultValue,
        }))
        setAsked({ pipeline, parameters, branch, of, matches: await matcherFor(parameters) })
        return
      }
      const { number } = await trigger.mutateAsync({
        named: pipeline.projectName,
        params: { id: pipeline.id },
        body: { idempotencyKey: newKey(), ...(branch === own ? {} : { branch }), ...of },
      })
      go(toBuild(pipeline, number))
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(undefined)
    }
  }
  const dialog = asked && <RunDialog {...asked} onClose={() => setAsked(undefined)} />
  return { run, busy, dialog }
}
