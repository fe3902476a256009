import { containers } from '@gantry/contract/stacks/containers/containers'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ServiceDetail } from '@gantry/contract/stacks/services'
import { t } from '../../../api/language.ts'
import { useMay } from '../../../api/session.ts'
import { useStore } from '../../../api/store.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { MissingPermission } from '../../../ui/may.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { closeShell, openShell, shells, type Shell } from './shells.tsx'
import { canExec, keyOf, shortPod, useContainers, type Row } from './use-containers.ts'
import styles from './containers.module.css'

const execute = containers.execute

/** The terminals of a service's containers, side by side as tabs. */
export function ServiceTerminals({ service }: { service: ServiceDetail }) {
  const may = useMay(execute)
  const query = useContainers(service)
  if (!may)
    return (
      <p className="g-note g-note-warn">
        <MissingPermission needs={execute} />
      </p>
    )
  return <Loaded query={query}>{(list) => <Terminals service={service} rows={list.items.filter(canExec)} />}</Loaded>
}

function Terminals({ service, rows }: { service: ServiceDetail; rows: readonly Row[] }) {
  const own = useStore(shells).filter(({ serviceId }) => serviceId === service.id)
  const [{ shell: wanted, terminal }, setUrl] = useUrlState({ shell: '', terminal: '' })
  const current = own.find(({ id }) => String(id) === terminal) ?? own.at(-1)
  const start = (row: Row) => {
    const { id } = openShell(service.id, keyOf(row), {
      teamId: service.teamId,
      envId: service.envId,
      podId: row.podId,
      container: row.name,
    })
    setUrl({ shell: '', terminal: String(id) }, { replace: true })
  }
  // The address requests a terminal in a container, or the tab was opened without any terminal.
  const arrive = useEffectEvent((wanted: string) => {
    const open = shells.get().filter(({ serviceId }) => serviceId === service.id)
    const row = wanted === '' ? rows[0] : rows.find((one) => keyOf(one) === wanted)
    const there = open.find(({ key }) => key === wanted)
    if (there) setUrl({ shell: '', terminal: String(there.id) }, { replace: true })
    else if (row && (wanted !== '' || open.length === 0)) start(row)
  })
  useEffect(() => arrive(wanted), [wanted])

  const short = (key: string): string => shortPod(key.split('/')[0] ?? key, service.name)
  if (own.length === 0 && rows.length === 0)
    return <EmptyState title={t('stacks-ui-terminal-none')} memo={t('stacks-ui-terminal-none-memo')} />
  return (
    <div className={styles.terminals}>
      <div className="g-bar">
        <ul className={styles.shells} aria-label={t('stacks-ui-terminals')}>
          {own.map(({ id, key }) => (
            <li key={id} className={id === current?.id ? `${styles.shell} ${styles.shellShown}` : styles.shell}>
              <button
                type="button"
                aria-current={id === current?.id}
                onClick={() => setUrl({ terminal: String(id) }, { replace: true })}
              >
                {short(key)}
              </button>
              <button
                type="button"
                aria-label={t('stacks-ui-terminal-close', { name: short(key) })}
                onClick={() => closeShell(id)}
              >
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
        <Menu
          start
          menu={{
            items: rows.map((row) => ({
              key: keyOf(row),
              label: <span className="g-mono">{keyOf(row)}</span>,
              onClick: () => start(row),
            })),
          }}
        >
          <Button small quiet icon="add" disabled={rows.length === 0 && t('stacks-ui-terminal-none')}>
            {t('stacks-ui-terminal-new')}
          </Button>
        </Menu>
      </div>
      {current && <Shown key={current.id} shell={current} />}
    </div>
  )
}

/** Attaches a terminal to the screen while it is open. */
function Shown({ shell }: { shell: Shell }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.append(shell.element)
    // The user wants to type at once. The terminal is rendered by another root, after its code has loaded.
    const focus = () => {
      const keys = shell.element.querySelector('textarea')
      if (!keys) return
      watch.disconnect()
      keys.focus({ preventScroll: true })
    }
    const watch = new MutationObserver(focus)
    watch.observe(shell.element, { childList: true, subtree: true })
    focus()
    return () => {
      watch.disconnect()
      shell.element.remove()
    }
  }, [shell])
  return <div ref={place} />
}
