import { Popover } from 'antd'
import { useRef, useState, type RefObject } from 'react'
import { teams } from '@gantry/contract/teams/teams'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { useSigned } from '../../api/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { GoTo, useGo, useTeamId, to } from '../../ui/link.tsx'
import { fetchDelayMs, useDelayed, useMore, useScrollMore } from '../../ui/form/remote-select.tsx'
import { paths } from '../../paths.gen.ts'
import styles from './top-bar.module.css'

/** Teams per page; more on scrolling. */
export const teamPage = 50

/** The current team's name, and the switch to another one. */
export function TeamSwitch() {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const teamId = useTeamId()
  const now = useSigned()
  const known = now?.user.teams.find((team) => team.id === teamId)?.name
  const read = useRead(
    teams.get,
    { params: { id: teamId } },
    { enabled: known === undefined && teamId > 0, staleMs: 60_000 },
  )
  const name = known ?? read.data?.name ?? t('shell-no-team')
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        // Escape returns the focus to the button; a click elsewhere keeps it there
        if (!next && document.activeElement?.closest('[data-teams]')) button.current?.focus()
      }}
      // Not before it is positioned: otherwise the window would scroll to where it was measured.
      afterOpenChange={(isOpen) => isOpen && box.current?.focus({ preventScroll: true })}
      trigger="click"
      placement="bottomLeft"
      arrow={false}
      destroyOnHidden
      content={<TeamList teamId={teamId} box={box} onClose={() => setOpen(false)} />}
    >
      <button type="button" className={styles.team} aria-expanded={open} ref={button}>
        <span className="g-hidden">{t('shell-switch-team', { name })}</span>
        <span className={styles.teamTile} aria-hidden>
          {[...name][0]?.toUpperCase()}
        </span>
        <span className={styles.teamName} aria-hidden>
          {name}
        </span>
        <Icon name="chevron" size={14} />
      </button>
    </Popover>
  )
}

interface TeamListProps {
  teamId: number
  box: RefObject<HTMLInputElement | null>
  onClose: () => void
}

function TeamList({ teamId, box, onClose }: TeamListProps) {
  const go = useGo()
  const [typed, setTyped] = useState('')
  const list = useMore(teams.brief, {}, useDelayed(typed.trim(), fetchDelayMs), teamPage)
  const onScroll = useScrollMore(() => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  })
  const choose = (id: number) => {
    onClose()
    if (id !== teamId) go(to('new-dashboard', { team_id: id }))
  }
  return (
    <div className={styles.teamList} data-teams>
      <label className={styles.teamSearch}>
        <Icon name="search" size={14} />
        <input
          value={typed}
          placeholder={t('shell-find-team')}
          aria-label={t('shell-find-team')}
          ref={box}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <ul onScroll={onScroll} aria-label={t('shell-teams')}>
        {list.items.map((team) => (
          <li key={team.id}>
            <button type="button" aria-current={team.id === teamId} onClick={() => choose(team.id)}>
              <span className={styles.teamTile} aria-hidden>
                {[...team.name][0]?.toUpperCase()}
              </span>
              {team.name}
              {team.id === teamId && <Icon name="check" size={14} />}
            </button>
          </li>
        ))}
        {list.isFetching && <li className={`g-faint ${styles.teamNote}`}>{t('ui-loading')}</li>}
        {list.error && <li className={`g-bad ${styles.teamNote}`}>{wordsOf(list.error)}</li>}
        {!list.isFetching && !list.error && list.items.length === 0 && (
          <li className={`g-faint ${styles.teamNote}`}>{t('no-data')}</li>
        )}
      </ul>
      {'team-members' in paths && (
        <GoTo
          to={{ name: 'team-members', params: { team_id: teamId }, search: {} }}
          className={styles.teamAdmin}
          onClick={onClose}
        >
          <Icon name="team" /> {t('shell-manage-team')}
        </GoTo>
      )}
    </div>
  )
}
