import { Input, Select } from 'antd'
import { batches, PreviewOutcome, type Preview } from '@gantry/contract/batch-edits/batches'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { BuildState } from '@gantry/contract/pipelines/states'
import type { Change } from '@gantry/contract/batch-edits/changes'
import { useEffect, useRef, useState } from 'react'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { clearButton } from '../../../ui/form/clear-button.tsx'
import { RemoteSelect, useDelayed } from '../../../ui/form/remote-select.tsx'
import { useUnsaved } from '../../../ui/form/unsaved.ts'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { Page, Section } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/table/pager.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { ChangeCard } from './change-card.tsx'
import { emptyDraft, readDrafts, type Draft } from './drafts.ts'
import { ItemList } from './item-list.tsx'
import { Labelled } from './labelled.tsx'
import styles from './batches.module.css'

/** A preview is requested after a pause of this length in typing. */
const pauseMs = 500

const noSelection = { ids: '', name: '', groupId: '', state: 'all', repository: '' }
type Chosen = typeof noSelection
type StateFilter = 'all' | 'never' | BuildState

const selectionOf = ({ ids, name, groupId, state, repository }: Chosen) =>
  ids === ''
    ? {
        filter: {
          projectName: name,
          state: state as StateFilter,
          repository,
          ...(Number(groupId) > 0 ? { groupId: Number(groupId) } : {}),
        },
      }
    : { ids: ids.split(',').map(Number) }

/** The pipelines, the changes, a preview for each pipeline, and the button that applies them. */
export function BatchEditPage() {
  const go = useGo()
  const teamId = useTeamId()
  const [chosen, choose] = useUrlState(noSelection)
  const [drafts, setDrafts] = useState<readonly { key: number; draft: Draft }[]>([])
  const next = useRef(0)
  const apply = useWrite(batches.apply)
  useUnsaved(drafts.length > 0 && !apply.isPending && !apply.isSuccess)
  const started = apply.data?.id
  useEffect(() => {
    if (started !== undefined) go(to('cd-batch-history', {}, { batch: started }))
  }, [started, go])

  const read = readDrafts(drafts.map(({ draft }) => draft))
  const input = JSON.stringify({ selection: selectionOf(chosen), changes: read.changes ?? [] })
  const settled = useDelayed(input, pauseMs)
  const { selection, changes } = JSON.parse(settled) as { selection: ReturnType<typeof selectionOf>; changes: Change[] }
  const [at, setAt] = useState({ of: '', requestPage: 1, pageSize: 20, outcome: 'all' as 'all' | PreviewOutcome })
  const requestPage = at.of === settled ? at.requestPage : 1
  const ready = changes.length > 0 && read.changes !== undefined
  const preview = useRead(
    batches.validate,
    { body: { teamId, selection, changes }, query: { requestPage, pageSize: at.pageSize, outcome: at.outcome } },
    { enabled: ready },
  )
  const current = ready && settled === input && !preview.isPlaceholderData
  const results = ready ? preview.data : undefined
  const add = () => setDrafts([...drafts, { key: next.current++, draft: emptyDraft('set') }])

  return (
    <Page
      title={t('route-cd-batch-edit')}
      about={t('batch-edits-ui-about')}
      crumbs={[{ label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list') }]}
      actions={
        <Button icon="clock" onClick={() => go(to('cd-batch-history'))}>
          {t('route-cd-batch-history')}
        </Button>
      }
    >
      <SelectionSection chosen={chosen} choose={choose} />
      <Section title={t('batch-edits-ui-changes')} about={t('batch-edits-ui-changes-about')}>
        {drafts.length > 0 && (
          <ol className={styles.changes}>
            {drafts.map(({ key, draft }, index) => (
              <ChangeCard
                key={key}
                number={index + 1}
                draft={draft}
                problem={read.problems.get(index)}
                matched={current ? results?.matched[index] : undefined}
                onChange={(changed) =>
                  setDrafts(drafts.map((one) => (one.key === key ? { key, draft: changed } : one)))
                }
                onRemove={() => setDrafts(drafts.filter((one) => one.key !== key))}
              />
            ))}
          </ol>
        )}
        <div>
          <Button icon="add" disabled={drafts.length >= 20 && t('batch-edits-ui-changes-most')} onClick={add}>
            {t('batch-edits-ui-change-add')}
          </Button>
        </div>
      </Section>
      <Section title={t('batch-edits-ui-preview')}>
        {!ready ? (
          <p className="g-quiet">{t('batch-edits-ui-preview-none')}</p>
        ) : preview.error ? (
          <Failed error={preview.error} retry={() => void preview.refetch()} />
        ) : results === undefined ? (
          <Skeleton rows={5} />
        ) : (
          <div className={styles.preview} aria-busy={!current}>
            <div className={styles.bar}>
              <p role="status">{t('batch-edits-ui-preview-counts', results.counts)}</p>
              <Select
                aria-label={t('batch-edits-ui-outcome')}
                value={at.outcome}
                popupMatchSelectWidth={false}
                options={(['all', ...PreviewOutcome.options] as const).map((value) => ({
                  value,
                  label: t(`batch-edits-ui-outcome-${value}`),
                }))}
                onChange={(outcome: typeof at.outcome) => setAt({ ...at, of: settled, requestPage: 1, outcome })}
              />
            </div>
            <ItemList
              label={t('batch-edits-ui-preview')}
              items={results.items}
              badge={(item) => <PreviewBadge item={item} />}
              open={(item) => to('cd-setting', { pipeline_group_id: item.appId, pipeline_id: item.pipelineId })}
            />
            {results.totalSize > 0 && (
              <Pager
                list={{
                  page: requestPage,
                  pageSize: at.pageSize,
                  setPage: (page) => setAt({ ...at, of: settled, requestPage: page }),
                  setPageSize: (pageSize) => setAt({ ...at, of: settled, requestPage: 1, pageSize }),
                }}
                total={results.totalSize}
              />
            )}
          </div>
        )}
        <div className="g-row g-row-end">
          <Button
            primary
            needs={batches.apply}
            loading={apply.isPending}
            disabled={
              (!ready && t('batch-edits-ui-preview-none')) ||
              (!current && t('batch-edits-ui-preview-comes')) ||
              (results?.counts.changed === 0 && t('batch-edits-ui-nothing-changes'))
            }
            onClick={() =>
              results &&
              apply.mutate({ params: { teamId }, body: { pipelines: results.pipelines, changes }, named: '' })
            }
          >
            {t('batch-edits-ui-apply', { count: current ? (results?.counts.changed ?? 0) : 0 })}
          </Button>
        </div>
      </Section>
    </Page>
  )
}

const PreviewBadge = ({ item: { outcome } }: { item: Preview }) => (
  <StateBadge state={outcome} text={t(`batch-edits-ui-outcome-${outcome}`)} />
)

interface SelectionProps {
  chosen: Chosen
  choose: (patch: Partial<Chosen>, options?: { replace?: boolean }) => void
}

const states = ['all', ...BuildState.options, 'never'] as const

function SelectionSection({ chosen, choose }: SelectionProps) {
  const teamId = useTeamId()
  const byIds = chosen.ids !== ''
  const groupId = Number(chosen.groupId) || undefined
  const query = useRead(
    pipelines.list,
    {
      params: { teamId },
      query: {
        pageSize: 5,
        projectName: chosen.name,
        groupId,
        state: chosen.state as StateFilter,
        repository: chosen.repository,
      },
    },
    { enabled: !byIds },
  )
  const found = query.data
  const type = (patch: Partial<Chosen>) => choose(patch, { replace: true })
  return (
    <Section title={t('batch-edits-ui-selection')}>
      {byIds ? (
        <div className="g-row">
          <span role="status">{t('batch-edits-ui-selected', { count: chosen.ids.split(',').length })}</span>
          <Button small onClick={() => choose({ ids: '' })}>
            {t('batch-edits-ui-by-filter')}
          </Button>
        </div>
      ) : (
        <>
          <div className={styles.fields}>
            <Labelled label={t('batch-edits-ui-filter-name')}>
              {(id) => (
                <Input
                  id={id}
                  allowClear={clearButton()}
                  maxLength={200}
                  value={chosen.name}
                  onChange={(event) => type({ name: event.target.value })}
                />
              )}
            </Labelled>
            <Labelled label={t('pipelines-ui-group')}>
              {(id) => (
                <RemoteSelect
                  id={id}
                  endpoint={groups.list}
                  input={{ params: { teamId } }}
                  pageSize={10}
                  clearable
                  placeholder={t('pipelines-ui-group-all')}
                  option={(group) => ({ value: group.id, label: group.name })}
                  {...(groupId === undefined ? {} : { value: groupId })}
                  valueLabel={found?.items.find((row) => row.appId === groupId)?.groupName ?? t('pipelines-ui-group')}
                  onChange={(value) => type({ groupId: value === undefined ? '' : String(value) })}
                />
              )}
            </Labelled>
            <Labelled label={t('batch-edits-ui-filter-state')}>
              {(id) => (
                <Select
                  id={id}
                  className="g-select"
                  value={chosen.state}
                  options={states.map((value) => ({
                    value,
                    label:
                      value === 'all'
                        ? t('pipelines-ui-state-all')
                        : value === 'never'
                          ? t('pipelines-ui-state-never')
                          : t(`state-${value}`),
                  }))}
                  onChange={(state: string) => type({ state })}
                />
              )}
            </Labelled>
            <Labelled label={t('batch-edits-ui-filter-repository')}>
              {(id) => (
                <Input
                  id={id}
                  allowClear={clearButton()}
                  spellCheck={false}
                  value={chosen.repository}
                  onChange={(event) => type({ repository: event.target.value })}
                />
              )}
            </Labelled>
          </div>
          {query.error ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : (
            <p role="status">
              {found === undefined
                ? t('ui-loading')
                : `${t('batch-edits-ui-found', { count: found.totalSize })}${found.totalSize === 0 ? '' : ': '}${found.items.map((row) => row.projectName).join(', ')}${found.totalSize > found.items.length ? ' …' : ''}`}
            </p>
          )}
        </>
      )}
    </Section>
  )
}
