import type { ReactNode } from 'react'
import { agents, type AgentRow, type Registration } from '@gantry/contract/agents/agents'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirm, Dialog, useDialog } from '../../ui/feedback/dialog.tsx'
import type { Action } from '../../ui/table/row-actions.tsx'
import { EditAgentDialog } from './edit-agent-dialog.tsx'
import { StartLines } from './start-lines.tsx'

interface AgentActions {
  actionsOf: (agent: AgentRow) => readonly Action[]
  /** The page has to render this. */
  dialog: ReactNode
}

/** An administrator's actions on an agent; `onRemoved` is for the agent's own screen. */
export function useAgentActions(onRemoved?: () => void): AgentActions {
  const editing = useDialog<AgentRow>()
  const starting = useDialog<Registration>()
  const pause = useWrite(agents.pause, { done: 'option-success', quiet: true })
  const clean = useWrite(agents.clean, { done: 'option-success', quiet: true })
  const renew = useWrite(agents.renew, { quiet: true })
  const remove = useWrite(agents.remove, { done: 'delete-success', quiet: true })

  const setPaused = ({ id, name }: AgentRow, paused: boolean) =>
    pause.mutateAsync({ named: name, params: { id }, body: { paused } })

  const actionsOf = (agent: AgentRow): readonly Action[] => {
    const { id, name, paused, embedded } = agent
    const ask = (what: 'pause' | 'clean' | 'renew' | 'remove', run: () => Promise<unknown>) =>
      confirm({
        title: t(`agents-ui-${what}-title`, { name }),
        text: t(`agents-ui-${what}-text`),
        danger: what === 'renew' || what === 'remove',
        ok: t(`agents-ui-${what}`),
        run,
      })
    const askRemove = async () => {
      if (await ask('remove', () => remove.mutateAsync({ named: name, params: { id } }))) onRemoved?.()
    }
    const askRenew = () => ask('renew', async () => starting.show(await renew.mutateAsync({ params: { id } })))
    return [
      { key: 'edit', label: t('agents-ui-edit'), icon: 'edit', onClick: () => editing.show(agent) },
      paused
        ? { key: 'resume', label: t('agents-ui-resume'), icon: 'play', onClick: () => void setPaused(agent, false) }
        : {
            key: 'pause',
            label: t('agents-ui-pause'),
            icon: 'pause',
            onClick: () => void ask('pause', () => setPaused(agent, true)),
          },
      {
        key: 'clean',
        label: t('agents-ui-clean'),
        icon: 'refresh',
        onClick: () => void ask('clean', () => clean.mutateAsync({ named: name, params: { id } })),
      },
      {
        key: 'renew',
        label: t('agents-ui-renew'),
        icon: 'key',
        danger: true,
        disabled: embedded && t('agents-renew-embedded', { name }),
        onClick: () => void askRenew(),
      },
      {
        key: 'remove',
        label: t('agents-ui-remove'),
        icon: 'delete',
        danger: true,
        disabled: embedded && agent.state === 'online' && t('agents-remove-embedded', { name }),
        onClick: () => void askRemove(),
      },
    ]
  }

  const dialog = (
    <>
      {editing.open && <EditAgentDialog agent={editing.open} onClose={editing.hide} />}
      {starting.open && (
        <Dialog
          title={t('agents-ui-start', { name: starting.open.name })}
          closes="button"
          width={720}
          buttons={
            <Button primary onClick={starting.hide}>
              {t('ui-secret-kept')}
            </Button>
          }
        >
          <StartLines made={starting.open} />
        </Dialog>
      )}
    </>
  )
  return { actionsOf, dialog }
}
