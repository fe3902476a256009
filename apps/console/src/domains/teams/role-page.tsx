import { Checkbox } from 'antd'
import { useEffect, useState } from 'react'
import { session, type PermissionEntry } from '@gantry/contract/auth/session'
import { roles } from '@gantry/contract/teams/roles'
import { holdDraft } from '../../api/draft.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { isPhrase, t } from '../../api/language.ts'
import { useMay, useMayAny } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Failed } from '../../ui/failed.tsx'
import { to, useGo, useTeamId } from '../../ui/link.tsx'
import { MissingPermission, Reason } from '../../ui/may.tsx'
import { Page } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { keysOf, matrixOf, verbs, type Area } from './permission-matrix.ts'
import './teams.css'

/** The words of a key, where there are any, else the key. */
const wordsFor = (prefix: string, key: string): string => {
  const phrase = `${prefix}${key}`
  return isPhrase(phrase) ? t(phrase) : key
}

/** What a role may do: a table for each area, a box for each permission. */
export function RolePage() {
  const teamId = useTeamId()
  const [{ role: given }] = useUrlState({ role: '' })
  const roleId = Number(given)
  const list = useRead(roles.list, { params: { teamId } })
  const catalogue = useRead(session.catalogue, {}, { staleMs: 300_000 })
  const held = useRead(roles.permissions, { params: { teamId, roleId } }, { enabled: roleId > 0, keep: false })
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
            <Loaded query={held}>
              {(entries) => (
                <Matrix key={roleId} teamId={teamId} roleId={roleId} areas={matrixOf(modules)} entries={entries} />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Page>
  )
}

interface MatrixProps {
  teamId: number
  roleId: number
  areas: readonly Area[]
  entries: readonly PermissionEntry[]
}

function Matrix({ teamId, roleId, areas, entries }: MatrixProps) {
  const go = useGo()
  const mayEdit = useMay('team_role_edit')
  const may = useMayAny()
  const first = new Set(entries.filter(({ enable }) => enable).map(({ name }) => name))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(first)
  const changed = areas.flatMap(keysOf).some((key) => first.has(key) !== chosen.has(key))
  useEffect(() => (changed ? holdDraft() : undefined), [changed])
  const save = useWrite(roles.setPermissions, {
    refreshes: [roles.permissions, roles.list],
    done: 'update-success-role',
  })
  /** Nobody gives what they lack; what is given already may be taken. */
  const closed = (key: string): boolean => !mayEdit || (!may(key) && !first.has(key))
  const put = (keys: readonly string[], on: boolean) => {
    const next = new Set(chosen)
    for (const key of keys) {
      if (closed(key)) continue
      if (on) next.add(key)
      else next.delete(key)
    }
    setChosen(next)
  }
  const back = () => go(to('team-roles', { team_id: teamId }))
  return (
    <div className="t-matrix">
      {!mayEdit && (
        <p className="g-note g-note-warn">
          <MissingPermission needs="team_role_edit" />
        </p>
      )}
      {areas.map((area) => {
        const keys = keysOf(area)
        const held = keys.filter((key) => chosen.has(key)).length
        const title = wordsFor('teams-ui-area-', area.key)
        return (
          <section key={area.key} className="t-area">
            <table className="t-table">
              <caption className="g-hidden">{title}</caption>
              <thead>
                <tr>
                  <th scope="col">
                    <Checkbox
                      aria-label={title}
                      checked={held === keys.length}
                      indeterminate={held > 0 && held < keys.length}
                      disabled={!mayEdit}
                      onChange={(event) => put(keys, event.target.checked)}
                    />
                    <strong>{title}</strong>
                  </th>
                  {verbs.map((verb) => (
                    <th key={verb} scope="col">
                      {t(`teams-ui-verb-${verb}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {area.things.map((thing) => (
                  <tr key={thing.key}>
                    <th scope="row">{wordsFor('teams-ui-thing-', thing.key)}</th>
                    {verbs.map((verb) => {
                      const key = thing.keys[verb]
                      if (key === undefined)
                        return (
                          <td key={verb} className="t-none">
                            <span aria-hidden>·</span>
                          </td>
                        )
                      return (
                        <td key={verb} data-label={t(`teams-ui-verb-${verb}`)}>
                          <Reason reason={closed(key) && mayEdit ? <MissingPermission needs={key} /> : undefined}>
                            <Checkbox
                              aria-label={wordsFor('permission.', key)}
                              checked={chosen.has(key)}
                              disabled={closed(key)}
                              onChange={(event) => put([key], event.target.checked)}
                            />
                          </Reason>
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )
      })}
      <div className="g-row g-row-end t-foot">
        <Button onClick={back}>{t('ui-cancel')}</Button>
        <Button
          primary
          needs="team_role_edit"
          disabled={!changed && t('ui-yaml-same')}
          loading={save.isPending}
          onClick={() =>
            save.mutate(
              {
                params: { teamId, roleId },
                body: areas.flatMap(keysOf).map((name) => ({ name, enable: chosen.has(name) })),
              },
              { onSuccess: back },
            )
          }
        >
          {t('ui-save')}
        </Button>
      </div>
    </div>
  )
}
