import { pipelines, type Pipeline } from '@gantry/contract/pipelines/pipelines'
import { reviews, ReviewState } from '@gantry/contract/pipelines/reviews'
import { t } from '../../../api/language.ts'
import { useRead } from '../../../api/hooks.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Section } from '../../../ui/page.tsx'
import { useListState } from '../../../ui/table/list-state.ts'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { causeOf } from '../definition/words.ts'
import { PipelineFrame } from '../pipelines/pipeline-frame.tsx'
import { toBuild } from '../pipelines/places.ts'
import { DecideDialog } from './decide-dialog.tsx'
import type { Deciding } from './question.ts'
import { ReviewersDialog } from './reviewers-dialog.tsx'
import { passedOf, Votes } from './votes.tsx'

/** The reviews of a pipeline's triggers: pending ones, and past decisions. */
export function ExaminePage() {
  return (
    <PipelineFrame screen="cd-examine">
      {(pipeline) => <ReviewList key={pipeline.id} pipeline={pipeline} />}
    </PipelineFrame>
  )
}

const states = ['all', ...ReviewState.options] as const

function ReviewList({ pipeline }: { pipeline: Pipeline }) {
  const list = useListState('cd-examine', { filters: { state: 'all' } })
  const input = { params: { id: pipeline.id }, query: list.query }
  const query = useRead(reviews.log, input)
  const deciding = useDialog<Deciding>()
  const setting = useDialog()
  const needs = reviews.decide
  return (
    <Section
      title={t('pipelines-ui-reviews')}
      about={t('pipelines-ui-reviews-about')}
      actions={
        <Button icon="config" needs={pipelines.setSetting} onClick={() => setting.show(true)}>
          {t('pipelines-ui-review-set')}
        </Button>
      }
    >
      <ResourceTable
        label={t('route-cd-examine')}
        query={query}
        list={list}
        rowKey={(row) => `${row.number} ${row.round}`}
        nameOf={(row) => t('pipelines-ui-build-number', { number: row.number })}
        filters={[
          {
            name: 'state',
            label: t('pipelines-ui-state'),
            options: states.map((value) => ({
              value,
              label: value === 'all' ? t('pipelines-ui-state-all') : t(`state-${value}`),
            })),
          },
        ]}
        columns={[
          { key: 'number', title: t('pipelines-ui-build'), cell: (row) => `#${row.number}`, width: 80 },
          {
            key: 'state',
            title: t('pipelines-ui-state'),
            cell: (row) => (
              <>
                <StateBadge state={row.state} />{' '}
                <span className="g-quiet">
                  {t('pipelines-ui-review-progress', { passed: passedOf(row), needed: row.needed })}
                </span>
              </>
            ),
          },
          {
            key: 'requestedBy',
            title: t('pipelines-ui-review-requested'),
            cell: (row) => causeOf({ cause: row.cause, userCause: row.requestedBy }),
          },
          {
            key: 'at',
            title: t('pipelines-ui-queued-at'),
            cell: (row) => <Time at={row.requestedAt} />,
            wideOnly: true,
          },
          { key: 'votes', title: t('pipelines-ui-review-votes'), cell: (row) => <Votes votes={row.votes} /> },
        ]}
        open={(row) => toBuild(pipeline, row.number)}
        actions={(row) => [
          {
            key: 'pass',
            label: t('pipelines-ui-approve'),
            icon: 'check',
            needs,
            disabled: row.obstacle !== '' && row.obstacle,
            onClick: () =>
              deciding.show({ question: { kind: 'review', pipelineId: pipeline.id, number: row.number }, pass: true }),
          },
          {
            key: 'reject',
            label: t('pipelines-ui-reject'),
            icon: 'close',
            danger: true,
            needs,
            disabled: row.obstacle !== '' && row.obstacle,
            onClick: () =>
              deciding.show({ question: { kind: 'review', pipelineId: pipeline.id, number: row.number }, pass: false }),
          },
        ]}
        empty={{ type: 1, title: t('pipelines-ui-reviews-none'), memo: t('pipelines-ui-reviews-none-memo') }}
      />
      {deciding.open && <DecideDialog {...deciding.open} onClose={deciding.hide} />}
      {setting.open && <ReviewersDialog pipeline={pipeline} onClose={setting.hide} />}
    </Section>
  )
}
