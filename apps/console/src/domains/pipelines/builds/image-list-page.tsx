import { builds } from '@gantry/contract/pipelines/builds'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { t } from '../../../api/language.ts'
import { useLive } from '../../../api/use-push.ts'
import { GoTo } from '../../../ui/link.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { imageColumns } from './image-columns.tsx'
import { PipelineFrame } from '../pipelines/pipeline-frame.tsx'
import { toBuild } from '../pipelines/places.ts'

export function ImageListPage() {
  return <PipelineFrame screen="cd-docker-image">{(pipeline) => <ImageList pipeline={pipeline} />}</PipelineFrame>
}

function ImageList({ pipeline }: { pipeline: Pipeline }) {
  const list = useListState('cd-docker-image')
  const params = { id: pipeline.id }
  const query = useLive(builds.images, { params, query: list.query }, { teamId: pipeline.teamId })
  return (
    <ResourceTable
      label={t('route-cd-docker-image')}
      query={query}
      list={list}
      rowKey={(row) => row.id}
      columns={[
        ...imageColumns(),
        {
          key: 'build',
          title: t('pipelines-ui-build'),
          cell: (row) => <GoTo to={toBuild(pipeline, row.buildNumber)}>#{row.buildNumber}</GoTo>,
        },
      ]}
      empty={{ type: 1, title: t('pipelines-ui-no-images'), memo: t('pipelines-ui-no-images-memo') }}
    />
  )
}
