import { harborContents, type HarborImage } from '@gantry/contract/harbor/contents'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { numberColumn } from '../../ui/table/number-column.ts'
import { atHand, ResourceTable } from '../../ui/table/resource-table.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'

export interface ImageDialogProps {
  harborId: number
  repo: string
  image: HarborImage
  onClose: () => void
}

/** The layers of an image, step by step. */
export function LayersDialog({ harborId, repo, image: { digest, tags }, onClose }: ImageDialogProps) {
  const query = useRead(harborContents.layer, { params: { id: harborId }, query: { repo, tag: digest } })
  return (
    <Dialog
      title={t('harbor-ui-layers-of', { name: tags[0]?.name ?? digest.slice(0, 19) })}
      width={880}
      onClose={onClose}
    >
      <Loaded query={query}>
        {(layers) => (
          <ResourceTable
            label={t('harbor-ui-layers')}
            query={atHand(layers.map((layer, at) => ({ ...layer, at: at + 1 })))}
            rowKey={(row) => row.at}
            columns={[
              numberColumn('at', '#', { width: 48, min: 48 }),
              { key: 'createdBy', title: t('harbor-ui-layer-by'), cell: (row) => row.createdBy || '–', mono: true },
              {
                key: 'empty',
                title: t('harbor-ui-layer-kind'),
                width: 112,
                cell: (row) => t(row.empty ? 'harbor-ui-layer-setting' : 'harbor-ui-layer-files'),
              },
              timeColumn('createdAt', t('harbor-ui-created'), { width: 128 }),
            ]}
            empty={{ type: 6, title: t('harbor-ui-layers-none') }}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
