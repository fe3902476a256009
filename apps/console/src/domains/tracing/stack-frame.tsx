import type { SourceKind } from '@gantry/contract/tracing/sources'
import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { useDialog } from '../../ui/feedback/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { to, useParam, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { SourceDialog } from './source-button.tsx'

/** The stack in the address. */
export function useStack() {
  const teamId = useTeamId()
  const [envId, envName] = [useParam('env_id'), useParam('env_name')]
  const [stackName, stackId] = [useParam('stack_name'), useParam('stack_id')]
  return {
    params: { teamId, envId, stackName },
    /** The path parameters of this route and its siblings. */
    place: { env_name: envName, env_id: envId, stack_name: stackName, stack_id: stackId },
  }
}

export function StackFrame({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const { place } = useStack()
  const { env_id, stack_name, stack_id } = place
  return (
    <Page
      title={title}
      object={`${stack_name} ${title}`}
      about={place.env_name}
      crumbs={[
        { label: t('route-app-list'), to: to('app-list') },
        { label: stack_name, to: to('stack', { env_id, stack_name, stack_id }) },
      ]}
      actions={actions}
    >
      {children}
    </Page>
  )
}

/** Shown without a server: who can connect one, and for these users, how. */
export function Unset({ kind }: { kind: SourceKind }) {
  const { admin } = useUser()
  const { place } = useStack()
  const dialog = useDialog()
  return (
    <>
      <EmptyState
        title={t(`tracing-ui-unset-${kind}`)}
        memo={t(admin ? `tracing-ui-unset-${kind}-admin` : `tracing-ui-unset-${kind}-memo`)}
        {...(admin && { add: { label: t(`tracing-ui-connect-${kind}`), onClick: () => dialog.show(true) } })}
      />
      {dialog.open && (
        <SourceDialog kind={kind} cluster={{ uuid: place.env_id, name: place.env_name }} onClose={dialog.hide} />
      )}
    </>
  )
}
