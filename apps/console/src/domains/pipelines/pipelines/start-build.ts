import { builds } from '@gantry/contract/pipelines/builds'
import type { StageInput } from '@gantry/contract/pipelines/definition'
import { versions } from '@gantry/contract/pipelines/editing/versions'
import { useWrite } from '../../../api/hooks.ts'
import type { Runnable } from './places.ts'

export interface Start {
  idempotencyKey: string
  branch?: string
  parameters?: Record<string, string>
  /** The source of an earlier build, which the new one reuses. */
  of: { tag?: string; commit?: string }
  /** The image for its deploy steps; empty without one. */
  image: string
  /** Unsaved stages, used instead of the pipeline's. */
  draft: StageInput[] | undefined
}

const options = { done: 'manual-trigger-success', quiet: true } as const

/** Starts a build of a pipeline by the call that fits the input, and answers its number. */
export function useStartBuild() {
  const trigger = useWrite(builds.trigger, options)
  const triggerWithParameters = useWrite(builds.triggerWithParameters, options)
  const triggerImage = useWrite(builds.triggerForImage, options)
  const triggerDraft = useWrite(versions.runDraft, options)
  return async (pipeline: Runnable, { of, image, draft, parameters, ...body }: Start): Promise<number> => {
    const named = pipeline.projectName
    const what = { named, params: { id: pipeline.id } }
    const given = parameters && { parameters }
    if (draft) return (await triggerDraft.mutateAsync({ ...what, body: { ...body, ...given, stages: draft } })).number
    const source = { ...body, ...of }
    if (image !== '') {
      const params = { uuid: String(pipeline.id) }
      return (await triggerImage.mutateAsync({ named, params, body: { ...source, ...given, image } })).number
    }
    const { number } = given
      ? await triggerWithParameters.mutateAsync({ ...what, body: { ...source, ...given } })
      : await trigger.mutateAsync({ ...what, body: source })
    return number
  }
}
