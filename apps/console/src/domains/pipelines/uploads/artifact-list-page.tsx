import { t } from '../../../api/language.ts'
import { useParam } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { ArtifactTable } from './artifact-table.tsx'
import { crumbsOf, usePipeline, usePipelineId } from '../pipelines/pipeline-frame.tsx'
import { toBuild } from '../pipelines/places.ts'

export function ArtifactListPage() {
  const id = usePipelineId()
  const number = Number(useParam('build_number'))
  const pipeline = usePipeline(id)
  const build = t('pipelines-ui-build-number', { number })
  return (
    <Page
      title={t('route-cd-build-artifacts')}
      object={pipeline.data && `${pipeline.data.projectName} #${number}`}
      crumbs={[
        ...crumbsOf(pipeline.data, true),
        pipeline.data ? { label: build, to: toBuild(pipeline.data, number) } : { label: build },
      ]}
    >
      <ArtifactTable pipelineId={id} number={number} />
    </Page>
  )
}
