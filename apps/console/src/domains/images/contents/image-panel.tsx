import { contents, type Image, type Tag } from '@gantry/contract/images/contents'
import { Select } from 'antd'
import { useState } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts, Loaded } from '../../../ui/detail.tsx'
import { SideDialog } from '../../../ui/feedback/dialog.tsx'
import { bytes } from '../../../ui/format.ts'
import { Section } from '../../../ui/page.tsx'
import { atHand, ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { UsesOf } from './uses.tsx'

interface ImagePanelProps {
  repoId: string
  tag: Pick<Tag, 'tagId' | 'tag'>
  onClose: () => void
}

/** One image: its data, its uses, and its layers. */
export function ImagePanel({ repoId, tag, onClose }: ImagePanelProps) {
  const [platform, setPlatform] = useState<string>()
  const query = useRead(contents.image, {
    params: { repoId, tagId: tag.tagId },
    query: platform === undefined ? {} : { platform },
  })
  return (
    <SideDialog title={tag.tag} onClose={onClose}>
      <Loaded query={query}>
        {(image) => (
          <>
            <Facts facts={factsOf(image, platform, setPlatform)} />
            <Section title={t('images-ui-uses')}>
              <UsesOf uses={image.uses} />
            </Section>
            <Section title={t('images-ui-layers')}>
              <Layers layers={image.layers} />
            </Section>
          </>
        )}
      </Loaded>
    </SideDialog>
  )
}

const factsOf = (image: Image, platform: string | undefined, choose: (digest: string) => void) => [
  { label: t('images-ui-pull'), value: <Copyable text={pullOf(image)} />, wide: true },
  { label: t('images-ui-digest'), value: <Copyable text={image.digest} short={19} /> },
  { label: t('images-ui-size'), value: bytes(image.size) },
  {
    label: t('images-ui-made'),
    value: image.createdAt === null ? t('images-ui-made-unknown') : <Time at={image.createdAt} />,
  },
  {
    label: t('images-ui-platform'),
    value:
      image.platforms.length > 1 ? (
        <Select
          aria-label={t('images-ui-platform')}
          className="g-select"
          value={platform ?? image.platforms.find(({ name }) => name === image.platform)?.digest ?? ''}
          options={image.platforms.map(({ name, digest }) => ({ value: digest, label: name || digest.slice(0, 19) }))}
          onChange={choose}
        />
      ) : (
        image.platform
      ),
  },
]

const pullOf = ({ type, image }: Pick<Image, 'type' | 'image'>): string => {
  const [tagged = image] = image.split('@')
  return type === 'chart'
    ? `helm pull oci://${tagged.replace(/:[^:/]*$/, '')} --version ${tagged.slice(tagged.lastIndexOf(':') + 1)}`
    : `docker pull ${tagged}`
}

/** In the order of their creation. */
const Layers = ({ layers }: Pick<Image, 'layers'>) => (
  <ResourceTable
    label={t('images-ui-layers')}
    query={atHand(layers.map((layer, at) => ({ ...layer, at: at + 1 })))}
    rowKey={({ at }) => at}
    columns={[
      { key: 'at', title: t('images-ui-layer'), width: 64, align: 'right', cell: ({ at }) => at },
      {
        key: 'by',
        title: t('images-ui-layer-by'),
        cell: ({ createdBy }) =>
          createdBy === '' ? (
            <span className="g-faint">{t('images-ui-layer-by-unknown')}</span>
          ) : (
            <span className="g-mono">{createdBy}</span>
          ),
      },
      {
        key: 'size',
        title: t('images-ui-size'),
        width: 112,
        align: 'right',
        cell: ({ digest, size }) =>
          digest === '' ? <span className="g-faint">{t('images-ui-layer-nothing')}</span> : bytes(size),
      },
    ]}
    empty={{ type: 1 }}
  />
)
