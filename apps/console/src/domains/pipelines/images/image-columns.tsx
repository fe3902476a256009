import type { BuildImage } from '@gantry/contract/pipelines/builds'
import { t } from '../../../api/language.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { bytes } from '../../../ui/format.ts'
import type { Column } from '../../../ui/table/column.ts'
import { timeColumn } from '../../../ui/table/time-column.tsx'

/** The columns of an image from a build, on the build's page and in the pipeline's list. */
export const imageColumns = (): Column<BuildImage>[] => [
  {
    key: 'image',
    title: t('pipelines-ui-image'),
    cell: (row) => <Copyable text={`${row.image}:${row.tag}`} />,
  },
  { key: 'digest', title: t('pipelines-ui-digest'), cell: (row) => <Copyable text={row.digest} short={19} /> },
  { key: 'size', title: t('pipelines-ui-size'), align: 'right', cell: (row) => bytes(row.size) },
  { key: 'step', title: t('pipelines-ui-step'), cell: (row) => row.step, wideOnly: true },
  timeColumn('createdAt', t('pipelines-ui-created-at')),
]
