import { harborContents, type HarborImage } from '@gantry/contract/harbor/contents'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { atHand, ResourceTable } from '../../ui/table/resource-table.tsx'
import { Time } from '../../ui/time.tsx'

interface LayersProps {
  harborId: number
  repo: string
  image: HarborImage
  onClose: () => void
}

/** The layers of an image, step by step. */
export function LayersDialog({ harborId, repo, image: { digest, tags }, onClose }: LayersProps) {
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
              { key: 'at', title: '#', width: 48, min: 48, align: 'right', cell: (row) => row.at },
              { key: 'createdBy', title: t('harbor-ui-layer-by'), cell: (row) => row.createdBy || '–', mono: true },
              {
                key: 'empty',
                title: t('harbor-ui-layer-kind'),
                width: 112,
                cell: (row) => t(row.empty ? 'harbor-ui-layer-setting' : 'harbor-ui-layer-files'),
              },
              {
                key: 'createdAt',
                title: t('harbor-ui-created'),
                width: 128,
                cell: (row) => <Time at={row.createdAt} />,
              },
            ]}
            empty={{ type: 6, title: t('harbor-ui-layers-none') }}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
