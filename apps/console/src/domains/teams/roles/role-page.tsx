import { session, type PermissionEntry, type PermissionModule } from '@gantry/contract/auth/session'
import { roles } from '@gantry/contract/teams/roles'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useMay, useHolds } from '../../../api/session.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { MissingPermission } from '../../../ui/may.tsx'
import { Page } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { PermissionEditor } from './permission-editor.tsx'

/** The permissions of a team's role. */
export function RolePage() {
  const teamId = useTeamId()
  const [{ role: given }] = useUrlState({ role: '' })
  const roleId = Number(given)
  const list = useRead(roles.list, { params: { teamId } })
  const catalogue = useRead(session.catalogue, {}, { staleMs: 300_000 })
  const granted = useRead(roles.permissions, { params: { teamId, roleId } }, { enabled: roleId > 0, keep: false })
  const role = list.data?.find(({ id }) => id === roleId)
  return (
    <Page
      title={role?.name ?? t('route-team-role-edit')}
      about={t('teams-ui-role-about')}
      crumbs={[{ label: t('route-team-roles'), to: to('team-roles', { team_id: teamId }) }]}
    >
      {list.data && !role ? (
        <Failed error={new Error(t('role-missing'))} />
      ) : (
        <Loaded query={catalogue}>
          {(modules) => (
            <Loaded query={granted}>
              {(entries) => (
                <Editor
                  key={roleId}
                  name={role?.name ?? ''}
                  teamId={teamId}
                  roleId={roleId}
                  modules={modules}
                  entries={entries}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Page>
  )
}

interface EditorProps {
  name: string
  teamId: number
  roleId: number
  modules: readonly PermissionModule[]
  entries: readonly PermissionEntry[]
}

function Editor({ name, teamId, roleId, modules, entries }: EditorProps) {
  const go = useGo()
  const mayEdit = useMay(roles.setPermissions)
  const may = useHolds()
  const save = useWrite(roles.setPermissions, {
    done: 'update-success-role',
  })
  const back = () => go(to('team-roles', { team_id: teamId }))
  /** A user cannot grant permissions that they lack, but can remove granted ones. */
  const closed = (key: string, first: ReadonlySet<string>) => {
    if (!mayEdit) return <MissingPermission needs={roles.setPermissions} />
    return may(key) || first.has(key) ? undefined : (
      <>
        {t('roles-ui-lacking')} <MissingPermission needs={key} />
      </>
    )
  }
  return (
    <>
      {!mayEdit && (
        <p className="g-note g-note-warn">
          <MissingPermission needs={roles.setPermissions} />
        </p>
      )}
      <PermissionEditor
        modules={modules.filter(({ type }) => type === 'team')}
        first={new Set(entries.filter(({ enable }) => enable).map(({ name }) => name))}
        closed={closed}
        needs={roles.setPermissions}
        saving={save.isPending || save.isSuccess}
        onCancel={back}
        onSave={(chosen) =>
          save.mutate(
            {
              named: name,
              params: { teamId, roleId },
              body: entries.map((entry) => ({ name: entry.name, enable: chosen.has(entry.name) })),
            },
            { onSuccess: back },
          )
        }
      />
    </>
  )
}
