import { builds, type BuildImage } from '@gantry/contract/pipelines/builds'
import { images } from '@gantry/contract/pipelines/images'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { GoTo, useGo } from '../../../ui/link.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { imageColumns } from './image-columns.tsx'
import { PipelineFrame } from '../pipelines/pipeline-frame.tsx'
import { toBuild } from '../pipelines/places.ts'
import { newKey } from '../pipelines/places.ts'

export function ImageListPage() {
  return <PipelineFrame screen="cd-docker-image">{(pipeline) => <ImageList pipeline={pipeline} />}</PipelineFrame>
}

function ImageList({ pipeline }: { pipeline: Pipeline }) {
  const list = useListState('cd-docker-image')
  const params = { id: pipeline.id }
  const go = useGo()
  const remove = useWrite(images.remove, { done: 'delete-success', quiet: true })
  const trigger = useWrite(builds.triggerForImage, { done: 'manual-trigger-success' })
  const run = async ({ image, tag }: BuildImage) => {
    const body = { image: `${image}:${tag}`, idempotencyKey: newKey() }
    const { number } = await trigger.mutateAsync({ named: pipeline.projectName, params: { uuid: pipeline.id }, body })
    go(toBuild(pipeline, number))
  }
  const askRemove = (row: BuildImage) =>
    confirm({
      title: t('pipelines-ui-image-remove-title'),
      text: t('pipelines-ui-image-remove-stays'),
      danger: true,
      ok: t('pipelines-ui-image-remove'),
      run: () => remove.mutateAsync({ named: `${row.image}:${row.tag}`, params: { ...params, imageId: row.id } }),
    })
  const query = useRead(builds.images, { params, query: list.query })
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
      actions={(row) => [
        {
          key: 'run',
          label: t('pipelines-ui-image-run'),
          icon: 'play',
          needs: builds.triggerForImage,
          onClick: () => void run(row),
        },
        {
          key: 'remove',
          label: t('pipelines-ui-image-remove'),
          icon: 'delete',
          danger: true,
          needs: images.remove,
          onClick: () => void askRemove(row),
        },
      ]}
      nameOf={(row) => `${row.image}:${row.tag}`}
      empty={{ type: 1, title: t('pipelines-ui-no-images'), memo: t('pipelines-ui-no-images-memo') }}
    />
  )
}
