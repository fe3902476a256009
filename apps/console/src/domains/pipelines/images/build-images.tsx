import type { BuildImage } from '@gantry/contract/pipelines/builds'
import { t } from '../../../api/language.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'
import { imageColumns } from './image-columns.tsx'

/** The images that a build pushed, which are part of the build's data. */
export function BuildImages({ images }: { images: BuildImage[] }) {
  if (images.length === 0)
    return <EmptyState type={1} title={t('pipelines-ui-no-images')} memo={t('pipelines-ui-no-images-memo')} />
  return (
    <ResourceTable
      label={t('route-cd-docker-image')}
      query={atHand(images)}
      rowKey={(row) => row.id}
      columns={imageColumns()}
    />
  )
}
