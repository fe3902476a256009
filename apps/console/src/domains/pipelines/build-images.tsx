import type { BuildImage } from '@gantry/contract/pipelines/builds'
import { t } from '../../api/language.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ResourceTable } from '../../ui/resource-table.tsx'
import { imageColumns } from './image-columns.tsx'

/** The images that one build made; they came with the build. */
export function BuildImages({ images }: { images: BuildImage[] }) {
  if (images.length === 0)
    return <EmptyState type={1} title={t('pipelines-ui-no-images')} memo={t('pipelines-ui-no-images-memo')} />
  const query = { data: images, error: null, isPending: false, isFetching: false, refetch: () => undefined }
  return (
    <ResourceTable label={t('route-cd-docker-image')} query={query} rowKey={(row) => row.id} columns={imageColumns()} />
  )
}
