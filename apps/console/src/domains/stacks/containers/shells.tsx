import { createPortal } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import { signed } from '../../../api/session.ts'
import { store, useStore } from '../../../api/store.ts'
import { nonce } from '../../../ui/nonce.ts'
import { socketTerminal } from '../../../ui/log/socket-terminal.ts'
import { later } from '../../../ui/feedback/later.ts'
import { Theme } from '../../../ui/theme/theme.tsx'

const Terminal = later(async () => (await import('../../../ui/log/terminal.tsx')).Terminal)

/** A terminal in a container. It is kept outside of the screens, so that it survives navigation. */
export interface Shell {
  id: number
  serviceId: number
  /** The container: `pod/container`. */
  key: string
  /** Its element; the screen that shows it attaches it. */
  element: HTMLElement
  at: { teamId: number; envId: string; podId: string; container: string }
}

export const shells = store<readonly Shell[]>([])
let last = 0

export function openShell(serviceId: number, key: string, at: Shell['at']): Shell {
  draw()
  const shell: Shell = { id: ++last, serviceId, key, at, element: document.createElement('div') }
  shells.set((list) => [...list, shell])
  return shell
}

export const closeShell = (id: number): void => shells.set((list) => list.filter((shell) => shell.id !== id))

let drawn = false

/** Renders all terminals with a separate root, each into its element. */
function draw(): void {
  if (drawn) return
  drawn = true
  createRoot(document.createElement('div')).render(
    <Theme nonce={nonce()}>
      <Dock />
    </Theme>,
  )
  // Terminals are closed at a logout.
  signed.subscribe(() => {
    if (!signed.get()) shells.set([])
  })
}

const Dock = () =>
  useStore(shells).map(({ id, key, at, element }) => createPortal(<ShellTerminal name={key} at={at} />, element, id))

function ShellTerminal({ name, at: { teamId, envId, podId, container } }: { name: string; at: Shell['at'] }) {
  return (
    <Terminal
      name={t('stacks-ui-terminal-of', { name })}
      connect={async (hears) => {
        const given = await call(containers.execute, {
          params: { teamId, envId, id: podId },
          query: { container },
        })
        return socketTerminal(given, hears)
      }}
    />
  )
}
