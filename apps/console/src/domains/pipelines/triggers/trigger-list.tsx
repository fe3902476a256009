import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { triggers, type Trigger, type TriggerEvent } from '@gantry/contract/pipelines/triggers'
import { useState } from 'react'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { notify } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm, confirmDelete, Dialog, useDialog } from '../../../ui/feedback/dialog.tsx'
import { SecretDialog } from '../../../ui/form/secret-dialog.tsx'
import { GoTo } from '../../../ui/link.tsx'
import { Section } from '../../../ui/page.tsx'
import { ResourceTable } from '../../../ui/table/resource-table.tsx'
import { deleteAction, editAction } from '../../../ui/table/row-actions.tsx'
import { timeColumn } from '../../../ui/table/time-column.tsx'
import { Time } from '../../../ui/time.tsx'
import { toBuild } from '../pipelines/places.ts'
import { HookDialog } from './hook-dialog.tsx'
import { TriggerDialog } from './trigger-dialog.tsx'
import { forgeNames, hookAddress, outcomeOf, ruleOf } from './trigger-words.ts'
import styles from './triggers.module.css'

export function TriggerList({ pipeline }: { pipeline: Pipeline }) {
  const params = { id: pipeline.id }
  const query = useRead(triggers.list, { params })
  const editing = useDialog<Trigger | 'new'>()
  const hooking = useDialog<Trigger>()
  const reading = useDialog<Trigger>()
  const [secret, setSecret] = useState<string>()
  const remove = useWrite(triggers.remove, { done: 'delete-success', quiet: true })
  const renew = useWrite(triggers.renewSecret, { quiet: true })
  const add = {
    label: t('pipelines-ui-trigger-add'),
    needs: triggers.create,
    onClick: () => editing.show('new'),
  }

  const askRemove = (trigger: Trigger) =>
    confirmDelete({
      title: t('pipelines-ui-trigger-delete-title'),
      goes: [
        t('pipelines-ui-trigger-delete-log'),
        ...(trigger.hook === null ? [] : [t('pipelines-ui-trigger-delete-hook')]),
      ],
      run: async () => {
        const { hookRemoved } = await remove.mutateAsync({ named: '', params: { ...params, triggerId: trigger.id } })
        if (hookRemoved === false) notify('warn', t('pipelines-ui-trigger-hook-stays'))
      },
    })

  const askRenew = (trigger: Trigger) =>
    confirm({
      title: t('pipelines-ui-trigger-secret'),
      text: t('pipelines-ui-trigger-secret-ask'),
      ok: t('pipelines-ui-trigger-secret'),
      run: async () => setSecret((await renew.mutateAsync({ params: { ...params, triggerId: trigger.id } })).secret),
    })

  return (
    <Section
      title={t('pipelines-ui-triggers')}
      about={t('pipelines-ui-triggers-about')}
      actions={
        <Button primary icon="add" needs={add.needs} onClick={add.onClick}>
          {add.label}
        </Button>
      }
    >
      <ResourceTable
        label={t('pipelines-ui-triggers')}
        query={query}
        rowKey={(row) => row.id}
        nameOf={ruleOf}
        columns={[
          { key: 'rule', title: t('pipelines-ui-trigger-what'), cell: (row) => <Rule trigger={row} /> },
          {
            key: 'last',
            title: t('pipelines-ui-trigger-last'),
            cell: (row) => <Last trigger={row} pipeline={pipeline} />,
          },
          {
            key: 'savedBy',
            title: t('pipelines-ui-trigger-saved-by'),
            cell: (row) => <SavedBy trigger={row} />,
            wideOnly: true,
          },
        ]}
        actions={(row) => [
          editAction({ needs: triggers.update, onClick: () => editing.show(row) }),
          { key: 'log', label: t('pipelines-ui-trigger-log'), icon: 'log', onClick: () => reading.show(row) },
          ...(row.rule.kind === 'webhook'
            ? [
                {
                  key: 'hook',
                  label: t('pipelines-ui-trigger-hook'),
                  icon: 'link' as const,
                  needs: triggers.setHook,
                  disabled: pipeline.repository === null && t('pipelines-trigger-no-repository'),
                  onClick: () => hooking.show(row),
                },
                {
                  key: 'secret',
                  label: t('pipelines-ui-trigger-secret'),
                  icon: 'key' as const,
                  needs: triggers.renewSecret,
                  onClick: () => void askRenew(row),
                },
              ]
            : []),
          deleteAction({ needs: triggers.remove, onClick: () => void askRemove(row) }),
        ]}
        empty={{
          type: 1,
          title: t('pipelines-ui-trigger-none'),
          memo: t('pipelines-ui-trigger-none-memo'),
          add,
        }}
      />
      {editing.open && (
        <TriggerDialog
          pipeline={pipeline}
          {...(editing.open === 'new' ? {} : { trigger: editing.open })}
          onClose={editing.hide}
          onSecret={setSecret}
        />
      )}
      {hooking.open && <HookDialog trigger={hooking.open} pipeline={pipeline} onClose={hooking.hide} />}
      {reading.open && <LogDialog trigger={reading.open} pipeline={pipeline} onClose={reading.hide} />}
      {secret !== undefined && (
        <SecretDialog
          title={t('pipelines-ui-trigger-secret-title')}
          text={t('pipelines-ui-trigger-secret-text', {
            url: hookAddress(pipeline),
          })}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  )
}

function Rule({ trigger }: { trigger: Trigger }) {
  const { rule, enabled, hook, nextAt } = trigger
  return (
    <span className={styles.stacked}>
      <span>
        {t(`pipelines-ui-trigger-kind-${rule.kind}`)}
        {!enabled && <span className="g-faint"> · {t('pipelines-ui-trigger-is-off')}</span>}
      </span>
      <span className="g-mono g-quiet g-clip">{ruleOf(trigger)}</span>
      {hook !== null && (
        <span className="g-quiet">{t('pipelines-ui-trigger-hook-at', { forge: forgeNames[hook] })}</span>
      )}
      {nextAt !== null && (
        <span className="g-quiet">
          {t('pipelines-ui-trigger-next-one')}: <Time at={nextAt} />
        </span>
      )}
    </span>
  )
}

function Last({ trigger: { last }, pipeline }: { trigger: Trigger; pipeline: Pipeline }) {
  if (!last) return <span className="g-faint">{t('pipelines-ui-trigger-never')}</span>
  return (
    <span className={styles.stacked}>
      <span>
        <Outcome event={last} pipeline={pipeline} /> · <Time at={last.at} />
      </span>
      {last.message !== '' && <span className="g-quiet">{last.message}</span>}
    </span>
  )
}

function Outcome({ event, pipeline }: { event: TriggerEvent; pipeline: Pipeline }) {
  const words = outcomeOf(event)
  if (event.number !== null) return <GoTo to={toBuild(pipeline, event.number)}>{words}</GoTo>
  return <span className={event.outcome === 'refused' ? 'g-bad' : ''}>{words}</span>
}

function SavedBy({ trigger: { savedBy, problem } }: { trigger: Trigger }) {
  return (
    <span className={styles.stacked}>
      <span>{savedBy}</span>
      {problem !== '' && <span className="g-bad">{problem}</span>}
    </span>
  )
}

interface LogProps {
  trigger: Trigger
  pipeline: Pipeline
  onClose: () => void
}

/** The newest events of a trigger. */
function LogDialog({ trigger, pipeline, onClose }: LogProps) {
  const query = useRead(triggers.events, {
    params: { id: pipeline.id, triggerId: trigger.id },
    query: { pageSize: 50 },
  })
  return (
    <Dialog width={720} title={t('pipelines-ui-trigger-log-of')} onClose={onClose}>
      <ResourceTable
        label={t('pipelines-ui-trigger-log-of')}
        query={query}
        rowKey={(row) => row.id}
        columns={[
          timeColumn('at', t('pipelines-ui-trigger-at'), { width: 128 }),
          {
            key: 'event',
            title: t('pipelines-ui-trigger-event'),
            cell: (row) => <span className="g-mono">{row.event}</span>,
          },
          {
            key: 'outcome',
            title: t('pipelines-ui-trigger-outcome'),
            cell: (row) => (
              <span className={styles.stacked}>
                <Outcome event={row} pipeline={pipeline} />
                {row.message !== '' && <span className="g-quiet">{row.message}</span>}
              </span>
            ),
          },
        ]}
        empty={{ type: 1, title: t('pipelines-ui-trigger-log-none') }}
      />
    </Dialog>
  )
}
