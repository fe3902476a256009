import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { useMay } from '../../../api/session.ts'
import { GoTo, to } from '../../../ui/link.tsx'

/** The user who requested a revision, and the build that did so in their name. */
export function AskedBy({ revision: { by, build } }: { revision: ServiceDetail['revisions'][number] }) {
  const may = useMay([pipelines.get, builds.get])
  if (!build) return by
  const { pipeline, pipelineId, groupId, number } = build
  const words = `${pipeline} #${number}`
  const params = { pipeline_group_id: groupId, pipeline_id: pipelineId, build_number: number }
  return (
    <>
      {by}, {may ? <GoTo to={to('cd-build-info', params)}>{words}</GoTo> : words}
    </>
  )
}
