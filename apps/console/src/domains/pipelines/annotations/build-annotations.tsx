import { type Annotation, AnnotationLevel, annotations } from '@gantry/contract/pipelines/findings/annotations'
import type { Build } from '@gantry/contract/pipelines/builds'
import { isEnded } from '@gantry/contract/pipelines/states'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'

interface AnnotationsProps {
  build: Build
  /** Opens a step's log, at this line if given; lines count from 1. */
  show: (step: number, line: number | null) => void
}

const levels = ['all', ...AnnotationLevel.options] as const

const placeOf = ({ file, line, column }: Annotation): string =>
  [file, line, column].filter((part) => part !== null).join(':')

/** Messages of compilers, linters and failed tests about lines of files. */
export function BuildAnnotations({ build, show }: AnnotationsProps) {
  const list = useListState('cd-build-annotations', { filters: { level: 'all' }, pageSize: 50 })
  const params = { id: build.pipelineId, number: build.number }
  const query = useRead(annotations.list, { params, query: list.query })
  return (
    <ResourceTable
      label={t('pipelines-ui-annotations')}
      query={query}
      list={list}
      rowKey={(row) => row.id}
      search={t('pipelines-ui-annotations-search')}
      filters={[
        {
          name: 'level',
          label: t('pipelines-ui-annotation-level'),
          options: levels.map((value) => ({ value, label: t(`pipelines-ui-annotation-${value}`) })),
        },
      ]}
      columns={[
        {
          key: 'level',
          title: t('pipelines-ui-annotation-level'),
          width: 112,
          cell: ({ level }) => <StateBadge state={level} text={t(`pipelines-ui-annotation-${level}`)} />,
        },
        {
          key: 'file',
          title: t('pipelines-ui-annotation-place'),
          mono: true,
          min: 168,
          cell: (row) => <Copyable text={placeOf(row)} />,
        },
        {
          key: 'message',
          title: t('pipelines-ui-annotation-message'),
          min: 240,
          cell: (row) => <span translate="no">{row.message}</span>,
        },
        {
          key: 'step',
          title: t('pipelines-ui-step'),
          width: 160,
          cell: (row) => (
            <Button
              small
              quiet
              icon="log"
              onClick={() => show(row.step, row.logLine === null ? null : row.logLine + 1)}
            >
              {row.stepName}
            </Button>
          ),
        },
      ]}
      empty={{
        type: 1,
        title: t('pipelines-ui-annotations-none'),
        memo: t(isEnded(build.state) ? 'pipelines-ui-annotations-none-memo' : 'pipelines-ui-annotations-later'),
      }}
    />
  )
}
